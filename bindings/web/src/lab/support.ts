// For the lab, in plain TypeScript and double precision: support points of convex shapes. The library's are kernel/lanes/ and kernel/exact/.
import * as THREE from "three";
import { scaleOf, type Shape } from "../abut/shapes.js";
import { poseOfShape, type PosedShape } from "../scene/candidates.js";

export type Posed = PosedShape;

/** The farthest point of the shape's core along `d`, in the shape's frame, before scale. */
function coreSupport(shape: Shape, d: THREE.Vector3): THREE.Vector3 {
    const sign = (x: number) => (x < 0 ? -1 : 1);
    const radial = Math.hypot(d.x, d.z) || 1;
    switch (shape.shape) {
        case "sphere": return d.clone().setLength(shape.radius);
        case "capsule": return d.clone().setLength(shape.radius).add(new THREE.Vector3(0, sign(d.y) * shape.half_height, 0));
        case "box": return new THREE.Vector3(...shape.half_extents).multiply(new THREE.Vector3(sign(d.x), sign(d.y), sign(d.z)));
        case "cylinder": return new THREE.Vector3((shape.radius * d.x) / radial, sign(d.y) * shape.half_height, (shape.radius * d.z) / radial);
        case "cone": {
            const rim = new THREE.Vector3((shape.radius * d.x) / radial, -shape.half_height, (shape.radius * d.z) / radial);
            const apex = new THREE.Vector3(0, shape.half_height, 0);
            return apex.dot(d) > rim.dot(d) ? apex : rim;
        }
        case "ellipsoid": {
            const radii = new THREE.Vector3(...shape.radii), scaled = radii.clone().multiply(d);
            return radii.multiply(scaled.normalize());
        }
        case "hull": {
            const vertices = shape.vertices.map((vertex) => new THREE.Vector3(...vertex));
            return vertices.reduce((best, vertex) => (vertex.dot(d) > best.dot(d) ? vertex : best));
        }
        default: throw new Error(`a ${shape.shape} is not convex`);
    }
}

/** The farthest point of a posed shape along `d`, in world space. */
export function support(posed: Posed, d: THREE.Vector3): THREE.Vector3 {
    const { shape } = posed, { position, orientation } = poseOfShape(posed);
    const local = d.clone().applyQuaternion(orientation.clone().invert()), scale = new THREE.Vector3(...scaleOf(shape));
    const core = coreSupport(shape, local.clone().multiply(scale)).multiply(scale).addScaledVector(local.normalize(), shape.rounding ?? 0);
    return core.applyQuaternion(orientation).add(position);
}

/** The farthest point of the Minkowski difference B - A along `d`. */
export const differenceSupport = (a: Posed, b: Posed, d: THREE.Vector3): THREE.Vector3 => support(b, d).sub(support(a, d.clone().negate()));

/** The surface of B - A: the support points along many directions. */
export function differenceSurface(a: Posed, b: Posed): THREE.BufferGeometry {
    const geometry = new THREE.IcosahedronGeometry(1, 24), position = geometry.getAttribute("position");
    for (let i = 0; i < position.count; ++i) position.setXYZ(i, ...differenceSupport(a, b, new THREE.Vector3().fromBufferAttribute(position, i)).toArray());
    geometry.computeVertexNormals();
    return geometry;
}
