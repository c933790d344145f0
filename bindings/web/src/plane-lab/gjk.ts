// GJK and EPA in the plane, one step at a time [Gilbert, Johnson, Keerthi 1988; van den Bergen 2001]: a teaching version. The library itself evaluates the axes of
// all edges (kernel/d2/convex/plane_edges.hpp). Both work on the Minkowski difference B - A of the cores: the cores overlap if it holds the origin, and their
// distance is that of the origin from it. The radii that sweep the cores are subtracted at the end.
import { cross, dot, minus, plus, rightOf, supportIndex, type Vec2 } from "../plane/shapes.js";

/** A corner of B minus a corner of A. */
export interface Vertex {
    point: Vec2;
    a: Vec2;
    b: Vec2;
}

export interface Step {
    /** "gjk": a simplex of up to three vertices; "epa": a growing polygon, counter-clockwise. */
    kind: "gjk" | "epa";
    vertices: Vertex[];
    /** The point of the simplex, or of the polygon's outline, that is nearest to the origin. */
    nearest: Vec2;
    /** The vertex that this step adds. */
    added: Vertex | null;
    text: string;
}

export interface Answer {
    signedDistance: number;
    /** From A to B. */
    normal: Vec2;
    pointA: Vec2;
    pointB: Vec2;
}

/** A convex core in world space, and the radius of the circle that sweeps it. */
export interface Swept {
    corners: Vec2[];
    radius: number;
}

interface Nearest {
    point: Vec2;
    /** The vertices that the point depends on, and their weights. */
    vertices: Vertex[];
    weights: number[];
}

const tolerance = 1e-9, maxSteps = 4096;
const length = (v: Vec2) => Math.hypot(...v);
const inWords = (x: number) => x.toPrecision(6);

/** The support point of B - A. */
export function supportOf(a: Swept, b: Swept): (direction: Vec2) => Vertex {
    return (direction) => {
        const onA = a.corners[supportIndex(a.corners, [-direction[0], -direction[1]])], onB = b.corners[supportIndex(b.corners, direction)];
        return { point: minus(onB, onA), a: onA, b: onB };
    };
}

function nearestOnSegment(p: Vertex, q: Vertex): Nearest {
    const along = minus(q.point, p.point), squared = dot(along, along), t = squared > 0 ? -dot(p.point, along) / squared : 0;
    if (!(t > 0)) return { point: p.point, vertices: [p], weights: [1] };
    if (t >= 1) return { point: q.point, vertices: [q], weights: [1] };
    return { point: plus(p.point, along, t), vertices: [p, q], weights: [1 - t, t] };
}

function nearestOnSimplex(v: Vertex[]): Nearest {
    if (v.length === 1) return { point: v[0].point, vertices: v, weights: [1] };
    if (v.length === 2) return nearestOnSegment(v[0], v[1]);
    const turns = v.map((p, i) => cross(p.point, v[(i + 1) % 3].point));
    // The origin is inside if it is on the same side of all three edges.
    if (turns.every((turn) => turn > 0) || turns.every((turn) => turn < 0)) return { point: [0, 0], vertices: v, weights: [] };
    return v.map((p, i) => nearestOnSegment(p, v[(i + 1) % 3])).reduce((best, each) => (length(each.point) < length(best.point) ? each : best));
}

const blend = ({ vertices, weights }: Nearest, of: "a" | "b"): Vec2 => vertices.reduce((sum: Vec2, vertex, i) => plus(sum, vertex[of], weights[i]), [0, 0]);

function answerOf(nearest: Nearest, coreDistance: number, normal: Vec2, a: Swept, b: Swept): Answer {
    return { signedDistance: coreDistance - a.radius - b.radius, normal, pointA: plus(blend(nearest, "a"), normal, a.radius), pointB: plus(blend(nearest, "b"), normal, -b.radius) };
}

/** All steps of GJK, and of EPA where the cores overlap. */
export function steps(a: Swept, b: Swept): { steps: Step[]; answer: Answer } {
    const out: Step[] = [], support = supportOf(a, b), sum = a.radius + b.radius;
    const size = Math.max(...[...a.corners, ...b.corners].flat().map(Math.abs), 1e-3), radii = sum > 0 ? `, less the radii ${inWords(sum)}` : "";
    let simplex = [support([1, 0])], nearest = nearestOnSimplex(simplex);
    const note = (text: string, added: Vertex | null) => out.push({ kind: "gjk", vertices: simplex, nearest: nearest.point, added, text });
    note("GJK begins with any support point of B - A.", simplex[0]);
    while (out.length < maxSteps) {
        const distance = length(nearest.point);
        if (distance <= tolerance * size || simplex.length === 3) break;
        const added = support([-nearest.point[0], -nearest.point[1]]);
        // The support line through the new point bounds the distance from below.
        if (dot(nearest.point, nearest.point) - dot(added.point, nearest.point) <= tolerance * size * distance) {
            note(`No point of B - A is nearer to the origin along this direction: the distance is ${inWords(distance)}${radii}.`, null);
            return { steps: out, answer: answerOf(nearest, distance, [nearest.point[0] / distance, nearest.point[1] / distance], a, b) };
        }
        simplex = [...simplex, added];
        nearest = nearestOnSimplex(simplex);
        note(`The support point towards the origin joins. Nearest point: ${length(nearest.point).toPrecision(4)} from the origin.`, added);
        if (nearest.vertices.length < simplex.length) simplex = nearest.vertices;
    }
    const isWhole = simplex.length === 3;
    if (!isWhole) simplex = triangle(simplex, support, size);
    note(isWhole ? "The simplex holds the origin: the cores overlap. EPA finds the depth." : "The simplex touches the origin. More support points make it a triangle, from which EPA finds the depth.", null);
    return { steps: out, answer: expand(simplex, support, out, a, b, radii) };
}

/** The simplex with support points that are not on its line; two points if B - A is flat. */
function triangle(simplex: Vertex[], support: (direction: Vec2) => Vertex, size: number): Vertex[] {
    const out = [...simplex], isApart = (p: Vertex) => {
        const from = minus(p.point, out[0].point);
        return out.length === 1 ? length(from) > tolerance * size : Math.abs(cross(minus(out[1].point, out[0].point), from)) > tolerance * size * size;
    };
    for (const direction of [[1, 0], [-1, 0], [0, 1], [0, -1]] as Vec2[]) if (out.length < 2 && isApart(support(direction))) out.push(support(direction));
    if (out.length === 2) {
        const across = rightOf(minus(out[1].point, out[0].point));
        for (const direction of [across, [-across[0], -across[1]] as Vec2]) if (out.length < 3 && isApart(support(direction))) out.push(support(direction));
    }
    return out;
}

/** EPA: the edge nearest to the origin moves out to the outline of B - A, until it lies on it. */
function expand(simplex: Vertex[], support: (direction: Vec2) => Vertex, out: Step[], a: Swept, b: Swept, radii: string): Answer {
    const polygon = [...simplex];
    // Two points are a flat polygon, with an edge there and one back.
    if (polygon.length === 3 && cross(minus(polygon[1].point, polygon[0].point), minus(polygon[2].point, polygon[0].point)) < 0) polygon.reverse();
    if (polygon.length === 1) { // two equal points: the documented answer
        const touching = { point: polygon[0].point, vertices: polygon, weights: [1] };
        out.push({ kind: "epa", vertices: polygon, nearest: polygon[0].point, added: null, text: `B - A is a point: the depth is 0${radii}.` });
        return answerOf(touching, 0, [0, 1], a, b);
    }
    for (;;) {
        const edges = polygon.map((p, i) => {
            const q = polygon[(i + 1) % polygon.length], outward = rightOf(minus(q.point, p.point));
            return { index: i, p, q, outward, distance: dot(outward, p.point) };
        });
        const edge = edges.reduce((best, each) => (each.distance < best.distance ? each : best));
        const added = support(edge.outward), outer = dot(added.point, edge.outward);
        const isDone = outer - edge.distance <= 1e-12 + tolerance * Math.abs(outer) || polygon.length > maxSteps;
        const text = isDone ? `The nearest edge lies on the outline: the depth is ${inWords(Math.max(0, edge.distance))}${radii ? radii.replace("less", "and") : ""}.`
                            : `EPA: the depth is between ${edge.distance.toPrecision(4)} and ${outer.toPrecision(4)}. The new vertex splits the nearest edge.`;
        out.push({ kind: "epa", vertices: [...polygon], nearest: [edge.outward[0] * edge.distance, edge.outward[1] * edge.distance], added: isDone ? null : added, text });
        if (isDone) return answerOf(nearestOnSegment(edge.p, edge.q), -edge.distance, [-edge.outward[0], -edge.outward[1]], a, b);
        polygon.splice(edge.index + 1, 0, added);
    }
}
