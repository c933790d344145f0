// A teaching version of GJK and EPA, one step at a time [Gilbert, Johnson, Keerthi 1988; van den Bergen 2001]. It is not the kernel: that is in
// kernel/convex/separation/gjk.hpp and kernel/exact/, and proves its answers. Both work on the Minkowski difference B - A: the shapes overlap if it holds the
// origin, and the distance is that of the origin from it.
import * as THREE from "three";

export type SupportOf = (direction: THREE.Vector3) => THREE.Vector3;

export interface Step {
    /** "gjk": a simplex of up to four vertices; "epa": the triangles of a growing polytope; "mpr": a portal of up to three vertices. */
    kind: "gjk" | "epa" | "mpr";
    vertices: THREE.Vector3[];
    triangles: [number, number, number][];
    /** The point of the simplex (or the nearest triangle) that is nearest to the origin; null before MPR has one. */
    nearest: THREE.Vector3 | null;
    /** The vertex that this step adds. */
    added: THREE.Vector3 | null;
    text: string;
    /** MPR's: where its ray begins. */
    inner?: THREE.Vector3;
}

const maxSteps = 32, maxExpansions = 120;
const tolerance = 1e-6;

interface Nearest {
    point: THREE.Vector3;
    /** The vertices that the point depends on. */
    vertices: THREE.Vector3[];
}

function nearestOnSegment(a: THREE.Vector3, b: THREE.Vector3): Nearest {
    const along = b.clone().sub(a), t = -a.dot(along) / along.lengthSq();
    if (!(t > 0)) return { point: a.clone(), vertices: [a] };
    if (t >= 1) return { point: b.clone(), vertices: [b] };
    return { point: a.clone().addScaledVector(along, t), vertices: [a, b] };
}

function nearestOnTriangle(a: THREE.Vector3, b: THREE.Vector3, c: THREE.Vector3): Nearest {
    const normal = b.clone().sub(a).cross(c.clone().sub(a)), corners = [a, b, c];
    const isInside = corners.every((p, i) => normal.dot(corners[(i + 1) % 3].clone().sub(p).cross(p.clone().negate())) >= 0);
    if (isInside && normal.lengthSq() > 0) return { point: normal.clone().multiplyScalar(a.dot(normal) / normal.lengthSq()), vertices: corners };
    return nearestOf(corners.map((p, i) => nearestOnSegment(p, corners[(i + 1) % 3])));
}

const nearestOf = (candidates: Nearest[]): Nearest => candidates.reduce((best, each) => (each.point.lengthSq() < best.point.lengthSq() ? each : best));

const faceIndices: [number, number, number][] = [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];

function nearestOnSimplex(v: THREE.Vector3[]): Nearest {
    if (v.length === 1) return { point: v[0].clone(), vertices: v };
    if (v.length === 2) return nearestOnSegment(v[0], v[1]);
    if (v.length === 3) return nearestOnTriangle(v[0], v[1], v[2]);
    // The origin is inside if no face separates it from the fourth vertex.
    const outside = faceIndices.filter(([i, j, k]) => {
        const normal = v[j].clone().sub(v[i]).cross(v[k].clone().sub(v[i])), fourth = v[6 - i - j - k];
        return normal.dot(v[i].clone().negate()) * normal.dot(fourth.clone().sub(v[i])) <= 0;
    });
    if (outside.length === 0) return { point: new THREE.Vector3(), vertices: v };
    return nearestOf(outside.map(([i, j, k]) => nearestOnTriangle(v[i], v[j], v[k])));
}

/** All steps of GJK, and of EPA where the shapes overlap. */
export function steps(support: SupportOf): Step[] {
    const out: Step[] = [];
    let simplex = [support(new THREE.Vector3(1, 0, 0))], nearest = nearestOnSimplex(simplex);
    const note = (text: string, added: THREE.Vector3 | null) => out.push({ kind: "gjk", vertices: simplex, triangles: [], nearest: nearest.point, added, text });
    note("GJK begins with any support point of B - A.", simplex[0]);
    while (out.length < maxSteps) {
        const distance = nearest.point.length();
        if (distance < tolerance || simplex.length === 4) break;
        const added = support(nearest.point.clone().negate());
        const gain = nearest.point.lengthSq() - added.dot(nearest.point);
        if (gain <= tolerance * distance * Math.max(1, distance)) {
            note(`No point of B - A is nearer to the origin along this direction: the distance is ${distance.toPrecision(6)}.`, null);
            return out;
        }
        simplex = [...simplex, added];
        nearest = nearestOnSimplex(simplex);
        note(`The support point towards the origin joins. Nearest point: ${nearest.point.length().toPrecision(4)} from the origin.`, added);
        if (nearest.vertices.length < simplex.length) simplex = nearest.vertices;
    }
    const isWhole = simplex.length === 4;
    if (!isWhole) simplex = tetrahedron(simplex, support);
    note(isWhole ? "The simplex holds the origin: the shapes overlap. EPA finds the depth."
                 : "The simplex touches the origin. More support points make it a tetrahedron, from which EPA finds the depth.", null);
    if (simplex.length === 4) expand(simplex, support, out);
    return out;
}

const axes = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]].map(([x, y, z]) => new THREE.Vector3(x, y, z));

/** The simplex with support points that are not in its plane or line. */
function tetrahedron(simplex: THREE.Vector3[], support: SupportOf): THREE.Vector3[] {
    const out = [...simplex], normal = () => out[1].clone().sub(out[0]).cross(out[2].clone().sub(out[0]));
    const isApart = (p: THREE.Vector3) => {
        if (out.length === 1) return p.distanceTo(out[0]) > tolerance;
        const along = out[1].clone().sub(out[0]), from = p.clone().sub(out[0]);
        return out.length === 2 ? along.cross(from).length() > tolerance : Math.abs(normal().dot(from)) > tolerance * normal().length();
    };
    for (let i = 0; i < axes.length && out.length < 3; ++i) [support(axes[i])].filter(isApart).forEach((p) => out.push(p));
    if (out.length === 3) [normal(), normal().negate()].map(support).filter(isApart).slice(0, 1).forEach((p) => out.push(p));
    return out;
}

interface Face {
    corners: [number, number, number];
    normal: THREE.Vector3;
    /** Without an area, and so without a normal. */
    isFlat: boolean;
    distance: number;
}

function faceOf(vertices: THREE.Vector3[], corners: [number, number, number]): Face {
    const [a, b, c] = corners.map((corner) => vertices[corner]);
    const across = b.clone().sub(a).cross(c.clone().sub(a)), isFlat = across.length() < 1e-12;
    const normal = across.normalize();
    return { corners, normal, isFlat, distance: isFlat ? Infinity : normal.dot(a) };
}

const edgesOf = ({ corners: [i, j, k] }: Face): [number, number][] => [[i, j], [j, k], [k, i]];

/** The faces that a new vertex sees: one connected piece around `first`, so that the polytope stays closed whatever the rounding. */
function seenFrom(added: THREE.Vector3, first: Face, faces: Face[], vertices: THREE.Vector3[]): Face[] {
    const byEdge = new Map(faces.flatMap((face) => edgesOf(face).map(([i, j]): [string, Face] => [`${i} ${j}`, face])));
    const seen = new Set([first]);
    for (const face of seen) {
        for (const [i, j] of edgesOf(face)) {
            const next = byEdge.get(`${j} ${i}`);
            if (next && (next.isFlat || next.normal.dot(added.clone().sub(vertices[next.corners[0]])) > 1e-10)) seen.add(next);
        }
    }
    return [...seen];
}

/** EPA: the face nearest to the origin moves out to the surface of B - A, until it lies on it. */
function expand(simplex: THREE.Vector3[], support: SupportOf, out: Step[]): void {
    const vertices = [...simplex];
    let faces = faceIndices.map(([i, j, k]) => {
        const face = faceOf(vertices, [i, j, k]);
        return face.normal.dot(vertices[6 - i - j - k].clone().sub(vertices[i])) > 0 ? faceOf(vertices, [i, k, j]) : face;
    });
    for (let step = 0; step < maxExpansions; ++step) {
        const nearest = faces.reduce((best, face) => (face.distance < best.distance ? face : best));
        const added = support(nearest.normal), outer = added.dot(nearest.normal);
        const isProved = outer - nearest.distance <= 1e-4 * Math.max(outer, 1e-3), isDone = isProved || step === maxExpansions - 1;
        const bounds = `the depth is between ${nearest.distance.toPrecision(4)} and ${outer.toPrecision(4)}`;
        const text = isProved ? `The nearest face lies on the surface: the depth is ${outer.toPrecision(6)}.`
                   : isDone ? `This is the last step shown: ${bounds}.` : `EPA: ${bounds}. The new vertex replaces the faces that see it.`;
        out.push({ kind: "epa", vertices: [...vertices], triangles: faces.map(({ corners }) => corners), nearest: nearest.normal.clone().multiplyScalar(nearest.distance), added: isDone ? null : added, text });
        if (isDone) return;
        const seen = seenFrom(added, nearest, faces, vertices), edges = seen.flatMap(edgesOf);
        const rim = edges.filter(([i, j]) => !edges.some(([p, q]) => p === j && q === i));
        const last = vertices.push(added) - 1;
        faces = faces.filter((face) => !seen.includes(face)).concat(rim.map(([i, j]) => faceOf(vertices, [i, j, last])));
    }
}
