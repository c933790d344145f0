// Vertices of boxes and hulls, and the face that looks most along a direction; in double precision, for candidates.ts.
import * as THREE from "three";
import { ConvexHull } from "three/examples/jsm/math/ConvexHull.js";
import { scaleOf, type Shape } from "../abut/shapes.js";

export interface Face {
    /** Unit, outward. */
    normal: THREE.Vector3;
    /** Counter-clockwise seen from outside. */
    corners: THREE.Vector3[];
}

/** The vertices in the shape's frame, scaled, without the rounding; null if the shape is no polytope. */
export function verticesOf(shape: Shape): THREE.Vector3[] | null {
    const scale = new THREE.Vector3(...scaleOf(shape));
    if (shape.shape === "hull") return shape.vertices.map((vertex) => new THREE.Vector3(...vertex).multiply(scale));
    if (shape.shape !== "box") return null;
    const half = new THREE.Vector3(...shape.half_extents).multiply(scale);
    return [...Array(8).keys()].map((i) => half.clone().multiply(new THREE.Vector3(i & 1 ? -1 : 1, i & 2 ? -1 : 1, i & 4 ? -1 : 1)));
}

/** Null if the vertices span no volume. */
export function faceAlong(vertices: THREE.Vector3[], direction: THREE.Vector3): Face | null {
    const size = new THREE.Box3().setFromPoints(vertices).getSize(new THREE.Vector3()).length();
    const triangles = vertices.length > 3 ? new ConvexHull().setFromPoints(vertices).faces : [];
    if (triangles.length < 4) return null;
    const most = triangles.reduce((best, face) => (face.normal.dot(direction) > best.normal.dot(direction) ? face : best));
    const normal = most.normal.clone().normalize(), height = most.edge.head().point.dot(normal);
    // Triangles of one plane are one face.
    const corners = vertices.filter((vertex) => Math.abs(vertex.dot(normal) - height) < 1e-5 * size);
    const center = corners.reduce((sum, corner) => sum.add(corner), new THREE.Vector3()).divideScalar(corners.length);
    const u = corners[0].clone().sub(center).normalize(), v = normal.clone().cross(u);
    const angle = (corner: THREE.Vector3) => Math.atan2(corner.clone().sub(center).dot(v), corner.clone().sub(center).dot(u));
    return { normal, corners: corners.sort((p, q) => angle(p) - angle(q)) };
}
