// Hulls and meshes as triangles; with a rounding their faces moved outward, a cylinder along each edge and a ball at each vertex.
import * as THREE from "three";
import { ConvexHull } from "three/examples/jsm/math/ConvexHull.js";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";

type Triangle = [THREE.Vector3, THREE.Vector3, THREE.Vector3];

const maxRoundedEdges = 1500; // more are drawn without cylinders and balls

function trianglesOf(points: THREE.Vector3[]): Triangle[] {
    const triangles: Triangle[] = [];
    for (const face of new ConvexHull().setFromPoints(points).faces) {
        const edge = face.edge;
        triangles.push([edge.head().point, edge.next.head().point, edge.next.next.head().point]);
    }
    return triangles;
}

/** A direction across all points, if they lie in one plane. */
function normalOfFlat(points: THREE.Vector3[]): THREE.Vector3 | null {
    const box = new THREE.Box3().setFromPoints(points), size = box.getSize(new THREE.Vector3()).length();
    let normal = new THREE.Vector3();
    for (const b of points) {
        for (const c of points) {
            const cross = b.clone().sub(points[0]).cross(c.clone().sub(points[0]));
            if (cross.lengthSq() > normal.lengthSq()) normal = cross;
        }
        if (points.length > 64) break;
    }
    if (normal.length() <= 1e-6 * size * size) return null;
    normal.normalize();
    return points.every((p) => Math.abs(p.clone().sub(points[0]).dot(normal)) < 1e-5 * size) ? normal : null;
}

function polygonTriangles(points: THREE.Vector3[], normal: THREE.Vector3): Triangle[] {
    const center = points.reduce((sum, p) => sum.add(p), new THREE.Vector3()).divideScalar(points.length);
    const u = points[0].clone().sub(center).normalize(), v = normal.clone().cross(u);
    const angle = (p: THREE.Vector3) => Math.atan2(p.clone().sub(center).dot(v), p.clone().sub(center).dot(u));
    const ring = [...points].sort((p, q) => angle(p) - angle(q));
    return ring.flatMap((p, i): Triangle[] => {
        const q = ring[(i + 1) % ring.length];
        return [[center, p, q], [center, q, p]];
    });
}

function flatGeometry(triangles: Triangle[], offset: number): THREE.BufferGeometry {
    const positions = new Float32Array(9 * triangles.length), normals = new Float32Array(9 * triangles.length);
    triangles.forEach(([a, b, c], i) => {
        const normal = b.clone().sub(a).cross(c.clone().sub(a)).normalize();
        [a, b, c].forEach((p, k) => {
            p.clone().addScaledVector(normal, offset).toArray(positions, 9 * i + 3 * k);
            normal.toArray(normals, 9 * i + 3 * k);
        });
    });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
    return geometry;
}

function tube(a: THREE.Vector3, b: THREE.Vector3, radius: number): THREE.BufferGeometry {
    const along = b.clone().sub(a), length = along.length();
    const geometry = new THREE.CylinderGeometry(radius, radius, length, 16, 1, true).toNonIndexed();
    const rotation = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
    return geometry.applyQuaternion(rotation).translate((a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2);
}

function ball(center: THREE.Vector3, radius: number): THREE.BufferGeometry {
    return new THREE.SphereGeometry(radius, 16, 12).toNonIndexed().translate(center.x, center.y, center.z);
}

/** The edges and corners of triangles, without the edges between triangles of one plane. */
function skeleton(triangles: Triangle[]): { edges: [THREE.Vector3, THREE.Vector3][]; corners: THREE.Vector3[] } {
    const name = (p: THREE.Vector3) => `${p.x},${p.y},${p.z}`;
    const edges = new Map<string, { ends: [THREE.Vector3, THREE.Vector3]; normals: THREE.Vector3[] }>();
    for (const triangle of triangles) {
        const normal = triangle[1].clone().sub(triangle[0]).cross(triangle[2].clone().sub(triangle[0])).normalize();
        triangle.forEach((p, i) => {
            const q = triangle[(i + 1) % 3], key = [name(p), name(q)].sort().join(" ");
            const edge = edges.get(key) ?? { ends: [p, q], normals: [] };
            edge.normals.push(normal);
            edges.set(key, edge);
        });
    }
    const sharp = [...edges.values()].filter(({ normals }) => normals.length !== 2 || normals[0].dot(normals[1]) < 0.9999);
    const corners = new Map(sharp.flatMap(({ ends }) => ends).map((p) => [name(p), p]));
    return { edges: sharp.map(({ ends }) => ends), corners: [...corners.values()] };
}

function swept(triangles: Triangle[], edges: [THREE.Vector3, THREE.Vector3][], corners: THREE.Vector3[], radius: number): THREE.BufferGeometry {
    const parts = triangles.length > 0 ? [flatGeometry(triangles, radius)] : [];
    if (edges.length <= maxRoundedEdges) {
        parts.push(...edges.map(([a, b]) => tube(a, b, radius)), ...corners.map((p) => ball(p, radius)));
    }
    for (const part of parts) part.deleteAttribute("uv");
    return mergeGeometries(parts);
}

/** The hull of the points, swept by a ball. Points, segments and polygons without rounding get a thin body, so that they can be seen. */
export function hullGeometry(points: THREE.Vector3[], rounding: number): THREE.BufferGeometry {
    const size = new THREE.Box3().setFromPoints(points).getSize(new THREE.Vector3()).length();
    const thin = rounding || 0.01 * size || 0.01;
    const normal = points.length > 2 ? normalOfFlat(points) : null;
    if (normal) {
        const ring = polygonTriangles(points, normal);
        return swept(ring, ring.filter((_, i) => i % 2 === 0).map(([, p, q]) => [p, q]), points, thin);
    }
    let triangles: Triangle[] = [];
    if (points.length > 3) triangles = trianglesOf(points);
    if (triangles.length === 0) {
        // A point or a segment: its ends are the two points that are farthest apart.
        const far = (from: THREE.Vector3) => points.reduce((best, p) => (p.distanceTo(from) > best.distanceTo(from) ? p : best), from);
        const a = far(points[0]), b = far(a);
        return swept([], a === b ? [] : [[a, b]], [a, b], thin);
    }
    if (rounding === 0) return flatGeometry(triangles, 0);
    const { edges, corners } = skeleton(triangles);
    return swept(triangles, edges, corners, rounding);
}

export function meshGeometry(vertices: THREE.Vector3[], faces: ArrayLike<number>[], rounding: number): THREE.BufferGeometry {
    const triangles = faces.map((face): Triangle => [vertices[face[0]], vertices[face[1]], vertices[face[2]]]);
    if (rounding === 0) return flatGeometry(triangles, 0);
    const both = triangles.concat(triangles.map(([a, b, c]): Triangle => [a, c, b]));
    const { edges, corners } = skeleton(triangles);
    return swept(both, edges, corners, rounding);
}
