// The contact candidates that the kept four of a pair were chosen from. The library does not report them: here they are computed once more, in double
// precision, for pairs of boxes, hulls and half-spaces, by the rule of docs/numerics.md: corners of either face over the other along the contact normal,
// and crossings of their edges, within the margin. They are trusted only if each kept contact is one of them.
import * as THREE from "three";
import type { Shape, Vec3 } from "../abut/shapes.js";
import { faceAlong, verticesOf, type Face } from "./faces.js";
import type { PairNumbers } from "./numbers.js";

/** A pose in double precision. */
export interface PosedShape {
    shape: Shape;
    position: THREE.Vector3;
    orientation: THREE.Quaternion;
}

/** Of the shape in the world: it may have a pose on its body. */
export function poseOfShape({ shape, position, orientation }: PosedShape): { position: THREE.Vector3; orientation: THREE.Quaternion } {
    return { position: new THREE.Vector3(...(shape.pos ?? [0, 0, 0])).applyQuaternion(orientation).add(position),
             orientation: orientation.clone().multiply(new THREE.Quaternion(...(shape.quat ?? [0, 0, 0, 1])).normalize()) };
}

export interface Candidate {
    /** Halfway between the surfaces, in world space. */
    position: Vec3;
    separation: number;
    isKept: boolean;
}

const sameShare = 0.0075, sameWidth = 0.1; // of the smaller size and of the narrower face: candidates that are nearer are one
const keptShare = 0.02; // of the smaller size: how far a kept contact may be from its candidate

/** A surface over the plane perpendicular to the normal: its height is linear. */
interface Sheet {
    height: (at: THREE.Vector2) => number;
    /** Counter-clockwise; null for a half-space, which has no corners. */
    corners: THREE.Vector2[] | null;
    /** What is left of a pair with a half-space: all vertices. */
    vertices: THREE.Vector2[];
    heights: number[];
    size: number;
    /** Of the face. */
    width: number;
}

interface Axes {
    u: THREE.Vector3;
    v: THREE.Vector3;
    n: THREE.Vector3;
    /** A's position. */
    origin: THREE.Vector3;
}

function axesOf(n: THREE.Vector3, origin: THREE.Vector3): Axes {
    const u = (Math.abs(n.x) < 0.6 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0)).cross(n).normalize();
    return { u, v: n.clone().cross(u), n, origin };
}

/** The least width of a convex polygon. */
function widthOf(polygon: THREE.Vector2[]): number {
    return Math.min(...polygon.map((from, i) => {
        const edge = polygon[(i + 1) % polygon.length].clone().sub(from).normalize();
        return Math.max(...polygon.map((p) => Math.abs(edge.cross(p.clone().sub(from)))));
    }));
}

/** `sign`: 1 for A, whose surface looks along the normal, -1 for B. */
function sheetOf(posedShape: PosedShape, { u, v, n, origin }: Axes, sign: number): Sheet | null {
    const { shape } = posedShape, { position, orientation } = poseOfShape(posedShape);
    const rounding = sign * (shape.rounding ?? 0), seen = (p: THREE.Vector3) => new THREE.Vector2(p.dot(u), p.dot(v));
    const linear = (normal: THREE.Vector3, at: THREE.Vector3) => (p: THREE.Vector2) => // the plane through `at` perpendicular to `normal`
        (normal.dot(at) - normal.dot(u) * p.x - normal.dot(v) * p.y) / normal.dot(n) + rounding;
    const offset = position.clone().sub(origin);
    if (shape.shape === "halfspace") {
        const normal = new THREE.Vector3(...shape.normal), length = normal.length(), unit = normal.normalize().applyQuaternion(orientation);
        return { height: linear(unit, offset.addScaledVector(unit, shape.offset / length)), corners: null, vertices: [], heights: [], size: Infinity, width: Infinity };
    }
    const local = verticesOf(shape), face: Face | null = local && faceAlong(local, n.clone().multiplyScalar(sign).applyQuaternion(orientation.clone().invert()));
    if (!local || !face) return null;
    const posed = (p: THREE.Vector3) => p.clone().applyQuaternion(orientation).add(offset);
    const corners = face.corners.map((corner) => seen(posed(corner))), vertices = local.map(posed);
    return { height: linear(face.normal.clone().applyQuaternion(orientation), posed(face.corners[0])), corners: sign > 0 ? corners : corners.reverse(),
             vertices: vertices.map(seen), heights: vertices.map((p) => p.dot(n) + rounding), size: new THREE.Box3().setFromPoints(local).getSize(new THREE.Vector3()).length(), width: widthOf(corners) };
}

/** The common part of two convex polygons [Sutherland, Hodgman 1974]. */
function clip(polygon: THREE.Vector2[], by: THREE.Vector2[]): THREE.Vector2[] {
    return by.reduce((part, from, i) => {
        const edge = by[(i + 1) % by.length].clone().sub(from), inside = (p: THREE.Vector2) => edge.cross(p.clone().sub(from));
        return part.flatMap((p, k) => {
            const q = part[(k + 1) % part.length], [at, next] = [inside(p), inside(q)];
            const crossing = at * next < 0 ? [p.clone().lerp(q, at / (at - next))] : [];
            return at >= 0 ? [p, ...crossing] : crossing;
        });
    }, polygon);
}

/** The vertices of a box or hull above or below a half-space. */
function overHalfspace(a: Sheet, b: Sheet): { at: THREE.Vector2; low: number; high: number }[] {
    const body = a.corners ? a : b;
    return body.vertices.map((at, i) => ({ at, low: body === a ? a.heights[i] : a.height(at), high: body === a ? b.height(at) : b.heights[i] }));
}

/** Null where the kept contacts are fewer than four, the shapes are of other kinds, or a kept contact is not among the candidates. */
export function candidatesOf(a: PosedShape, b: PosedShape, { contacts }: PairNumbers, margin: number): Candidate[] | null {
    if (contacts.length !== 4) return null;
    const axes = axesOf(new THREE.Vector3(...contacts[0].normal), a.position), sheetA = sheetOf(a, axes, 1), sheetB = sheetOf(b, axes, -1);
    if (!sheetA || !sheetB || !(sheetA.corners || sheetB.corners)) return null;
    const size = Math.min(sheetA.size, sheetB.size), found: Candidate[] = [];
    const same = Math.min(sameShare * size, sameWidth * Math.min(sheetA.width, sheetB.width));
    const points = sheetA.corners && sheetB.corners ? clip(sheetB.corners, sheetA.corners).map((at) => ({ at, low: sheetA.height(at), high: sheetB.height(at) }))
                                                    : overHalfspace(sheetA, sheetB);
    for (const { at, low, high } of points) {
        if (high - low > margin) continue;
        const position = axes.origin.clone().addScaledVector(axes.u, at.x).addScaledVector(axes.v, at.y).addScaledVector(axes.n, 0.5 * (low + high));
        if (found.some((other) => position.distanceTo(new THREE.Vector3(...other.position)) < same)) continue;
        found.push({ position: position.toArray(), separation: high - low, isKept: false });
    }
    for (const contact of contacts) {
        const distance = (candidate: Candidate) => Math.hypot(...candidate.position.map((x, axis) => x - contact.position[axis]));
        const nearest = found.filter(({ isKept }) => !isKept).sort((p, q) => distance(p) - distance(q))[0];
        if (!nearest || distance(nearest) > keptShare * size) return null;
        nearest.isKept = true;
    }
    return found;
}
