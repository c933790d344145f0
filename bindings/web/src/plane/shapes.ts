// Shapes of the plane as parts: convex cores swept by a circle, half-planes, chains. Scale, then rounding, then pose, as the library does.

export type Vec2 = [number, number];

/** A shape of docs/formats.md, "Two dimensions". */
export interface PlaneShape {
    shape: "circle" | "capsule" | "box" | "polygon" | "halfplane" | "chain" | "compound";
    radius?: number;
    half_height?: number;
    half_extents?: Vec2;
    vertices?: Vec2[];
    normal?: Vec2;
    offset?: number;
    loop?: boolean;
    children?: { shape: PlaneShape; pos: Vec2; angle: number }[];
    rounding?: number;
    scale?: number | Vec2;
    pos?: Vec2;
    angle?: number;
}

/** Corners counter-clockwise; of a chain its points, whose front is on the right; of a half-plane a point of its line. */
export interface Part {
    kind: "convex" | "chain" | "halfplane";
    corners: Vec2[];
    radius: number;
    normal: Vec2;
    loop: boolean;
}

export const plus = (a: Vec2, b: Vec2, by = 1): Vec2 => [a[0] + by * b[0], a[1] + by * b[1]];
export const minus = (a: Vec2, b: Vec2): Vec2 => [a[0] - b[0], a[1] - b[1]];
export const dot = (a: Vec2, b: Vec2) => a[0] * b[0] + a[1] * b[1];
export const cross = (a: Vec2, b: Vec2) => a[0] * b[1] - a[1] * b[0];
export const rotated = ([x, y]: Vec2, angle: number): Vec2 => [Math.cos(angle) * x - Math.sin(angle) * y, Math.sin(angle) * x + Math.cos(angle) * y];
/** The unit vector on the right of a direction. */
export const rightOf = ([x, y]: Vec2): Vec2 => [y / (Math.hypot(x, y) || 1), -x / (Math.hypot(x, y) || 1)];

/** The convex hull, counter-clockwise [Andrew 1979]. */
export function hullOf(points: Vec2[]): Vec2[] {
    const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]).filter((p, i, all) => i === 0 || p[0] !== all[i - 1][0] || p[1] !== all[i - 1][1]);
    if (sorted.length < 3) return sorted;
    const half = (along: Vec2[]) => {
        const chain: Vec2[] = [];
        for (const p of along) {
            while (chain.length > 1 && cross(minus(chain.at(-1)!, chain.at(-2)!), minus(p, chain.at(-2)!)) <= 0) chain.pop();
            chain.push(p);
        }
        return chain.slice(0, -1);
    };
    return [...half(sorted), ...half(sorted.reverse())];
}

const part = (kind: Part["kind"], corners: Vec2[], radius = 0, normal: Vec2 = [0, 0], loop = false): Part => ({ kind, corners, radius, normal, loop });

function plainParts(s: PlaneShape): Part[] {
    switch (s.shape) {
        case "circle": return [part("convex", [[0, 0]], s.radius)];
        case "capsule": return [part("convex", hullOf([[0, -s.half_height!], [0, s.half_height!]]), s.radius)];
        case "box": {
            const [x, y] = s.half_extents!;
            return [part("convex", hullOf([[-x, -y], [x, -y], [x, y], [-x, y]]))];
        }
        case "polygon": return [part("convex", hullOf(s.vertices!))];
        case "halfplane": {
            const length = Math.hypot(...s.normal!), normal: Vec2 = [s.normal![0] / length, s.normal![1] / length];
            return [part("halfplane", [plus([0, 0], normal, s.offset! / length)], 0, normal)];
        }
        case "chain": return [part("chain", s.vertices!, 0, [0, 0], s.loop)];
        case "compound": return s.children!.flatMap(({ shape, pos, angle }) => partsOf(shape).map((each) => placed(each, pos, angle)));
    }
}

function scaled(p: Part, [x, y]: Vec2): Part {
    const corners = p.corners.map(([u, v]): Vec2 => [x * u, y * v]);
    if (x * y < 0) corners.reverse(); // a mirrored chain keeps its front
    return { ...p, corners, radius: p.radius * Math.abs(x), normal: [Math.sign(x) * p.normal[0], Math.sign(y) * p.normal[1]] };
}

export const placed = (p: Part, position: Vec2, angle: number): Part => ({ ...p, corners: p.corners.map((each) => plus(rotated(each, angle), position)), normal: rotated(p.normal, angle) });

/** In the body's frame. */
export function partsOf(shape: PlaneShape): Part[] {
    const scale = shape.scale ?? 1, factors: Vec2 = typeof scale === "number" ? [scale, scale] : scale, rounding = shape.rounding ?? 0;
    return plainParts(shape).map((each) => {
        const grown = scaled(each, factors);
        return placed({ ...grown, radius: grown.radius + rounding }, shape.pos ?? [0, 0], shape.angle ?? 0);
    });
}

/** The farthest corner of a core along a direction; the lowest index of equals. */
export function supportIndex(corners: Vec2[], direction: Vec2): number {
    return corners.reduce((best, p, i) => (dot(p, direction) > dot(corners[best], direction) ? i : best), 0);
}
