// A shape as parts: geometries that many bodies share, each with a matrix in the body's frame.
import * as THREE from "three";
import { cellsOf, scaleOf, type Compound, type Heightfield, type Quat, type Shape, type Upright, type Vec3 } from "../abut/shapes.js";
import { hullGeometry, meshGeometry } from "./polytope.js";

export interface Part {
    /** Parts of equal names have equal geometries. */
    name: string;
    make: () => THREE.BufferGeometry;
    matrix: THREE.Matrix4;
    /** Of a half-space: a square of two units, drawn as large as the scene. */
    isPlane?: boolean;
}

const roundSegments = 20; // thousands of bodies are drawn by software in less than a second
const unitBall = () => new THREE.SphereGeometry(1, roundSegments, 12);
const unitTube = () => new THREE.CylinderGeometry(1, 1, 2, roundSegments, 1, true);
const unitCylinder = () => new THREE.CylinderGeometry(1, 1, 2, roundSegments);
const unitCone = () => new THREE.ConeGeometry(1, 2, roundSegments);
const unitBox = () => new THREE.BoxGeometry(2, 2, 2);

const scaled = (x: number, y: number, z: number) => new THREE.Matrix4().makeScale(x || 1e-6, y || 1e-6, z || 1e-6);
const vectors = (vertices: Vec3[], scale: Vec3) => vertices.map(([x, y, z]) => new THREE.Vector3(x * scale[0], y * scale[1], z * scale[2]));

function capsule(radius: number, halfHeight: number): Part[] {
    const cap = (y: number) => scaled(radius, radius, radius).setPosition(0, y, 0);
    return [{ name: "tube", make: unitTube, matrix: scaled(radius, halfHeight, radius) },
            { name: "ball", make: unitBall, matrix: cap(halfHeight) }, { name: "ball", make: unitBall, matrix: cap(-halfHeight) }];
}

/** The outline of a cylinder or cone swept by a ball, turned about the axis. */
function sweptUpright(isCone: boolean, radius: number, halfHeight: number, rounding: number): THREE.BufferGeometry {
    const corners: [number, number][] = isCone ? [[0, -halfHeight], [radius, -halfHeight], [0, halfHeight]]
                                               : [[0, -halfHeight], [radius, -halfHeight], [radius, halfHeight], [0, halfHeight]];
    const outline: THREE.Vector2[] = [];
    const lateral = isCone ? Math.atan2(radius, 2 * halfHeight) : 0; // of the lateral face's normal above the horizontal
    const arc = ([x, y]: [number, number], from: number, to: number) => {
        for (let i = 0; i <= 8; ++i) {
            const angle = from + ((to - from) * i) / 8;
            outline.push(new THREE.Vector2(Math.max(0, x + rounding * Math.cos(angle)), y + rounding * Math.sin(angle)));
        }
    };
    outline.push(new THREE.Vector2(0, -halfHeight - rounding));
    arc(corners[1], -Math.PI / 2, lateral);
    arc(corners[2], lateral, Math.PI / 2);
    if (!isCone) outline.push(new THREE.Vector2(0, halfHeight + rounding));
    return new THREE.LatheGeometry(outline, roundSegments);
}

function upright(shape: Upright, scale: Vec3, rounding: number): Part[] {
    const radius = shape.radius * scale[0], halfHeight = shape.half_height * scale[0];
    if (shape.shape === "capsule") return capsule(radius + rounding, halfHeight);
    const isCone = shape.shape === "cone";
    if (rounding === 0) return [{ name: shape.shape, make: isCone ? unitCone : unitCylinder, matrix: scaled(radius, halfHeight, radius) }];
    return [{ name: `${shape.shape} ${radius} ${halfHeight} ${rounding}`, make: () => sweptUpright(isCone, radius, halfHeight, rounding), matrix: new THREE.Matrix4() }];
}

/** Each point of the ellipsoid moved along its normal. */
function sweptEllipsoid(radii: Vec3, rounding: number): THREE.BufferGeometry {
    const geometry = unitBall(), position = geometry.getAttribute("position"), normal = geometry.getAttribute("normal");
    for (let i = 0; i < position.count; ++i) {
        const p = new THREE.Vector3().fromBufferAttribute(position, i);
        const n = new THREE.Vector3(p.x / radii[0], p.y / radii[1], p.z / radii[2]).normalize();
        position.setXYZ(i, p.x * radii[0] + n.x * rounding, p.y * radii[1] + n.y * rounding, p.z * radii[2] + n.z * rounding);
        normal.setXYZ(i, n.x, n.y, n.z);
    }
    return geometry;
}

/** The scale and the rounding of a compound act on each child. */
function compound(shape: Compound, scale: Vec3, rounding: number): Part[] {
    return shape.children.flatMap((child) => {
        const own = scaleOf(child.shape).map((factor) => factor * scale[0]) as Vec3;
        const grown = { ...child.shape, scale: own, rounding: (child.shape.rounding ?? 0) * scale[0] + rounding };
        const scaledBy = (position: Vec3) => position.map((x) => x * scale[0]) as Vec3;
        return posed(partsOf({ ...grown, ...(child.shape.pos && { pos: scaledBy(child.shape.pos) }) }), poseMatrix(scaledBy(child.pos), child.quat));
    });
}

function heightfield(shape: Heightfield, scale: Vec3, rounding: number): THREE.BufferGeometry {
    const { rows, columns, spacing, heights } = shape;
    const vertices = heights.map((height, i): Vec3 => [(i % columns) * spacing[0], height ?? 0, Math.floor(i / columns) * spacing[1]]);
    const faces: number[][] = [], cells = cellsOf(shape);
    for (let r = 0; r + 1 < rows; ++r) {
        for (let c = 0; c + 1 < columns; ++c) {
            const i = r * columns + c, below = i + columns, flags = cells[cells.length > 1 ? r * (columns - 1) + c : 0] ?? 0;
            if (flags & 1) continue;
            const pair = flags & 2 ? [[i, below, i + 1], [below, below + 1, i + 1]] : [[i, below, below + 1], [i, below + 1, i + 1]];
            for (const face of pair) if (face.every((corner) => heights[corner] !== null)) faces.push(face);
        }
    }
    return meshGeometry(vectors(vertices, scale), faces, rounding);
}

function halfspace(normal: Vec3, offset: number): Part[] {
    const length = Math.hypot(...normal), unit = new THREE.Vector3(...normal).normalize();
    const rotation = new THREE.Quaternion().setFromUnitVectors(new THREE.Vector3(0, 0, 1), unit);
    const matrix = new THREE.Matrix4().compose(unit.multiplyScalar(offset / length), rotation, new THREE.Vector3(1, 1, 1));
    return [{ name: "plane", make: () => new THREE.PlaneGeometry(2, 2, 24, 24), matrix, isPlane: true }];
}

const poseMatrix = (position: Vec3, orientation: Quat) =>
    new THREE.Matrix4().compose(new THREE.Vector3(...position), new THREE.Quaternion(...orientation).normalize(), new THREE.Vector3(1, 1, 1));

const posed = (parts: Part[], pose: THREE.Matrix4): Part[] => parts.map((part) => ({ ...part, matrix: pose.clone().multiply(part.matrix) }));

/** In the body's frame: the shape may have a pose there. */
export function partsOf({ pos, quat, ...shape }: Shape): Part[] {
    const parts = partsOfPlain(shape);
    return pos || quat ? posed(parts, poseMatrix(pos ?? [0, 0, 0], quat ?? [0, 0, 0, 1])) : parts;
}

function partsOfPlain(shape: Shape): Part[] {
    const scale = scaleOf(shape), rounding = shape.rounding ?? 0;
    const own = (make: () => THREE.BufferGeometry): Part[] => [{ name: JSON.stringify(shape), make, matrix: new THREE.Matrix4() }];
    switch (shape.shape) {
        case "sphere": {
            const radius = shape.radius * scale[0] + rounding;
            return [{ name: "ball", make: unitBall, matrix: scaled(radius, radius, radius) }];
        }
        case "capsule": case "cylinder": case "cone": return upright(shape, scale, rounding);
        case "ellipsoid": {
            const radii = shape.radii.map((radius, i) => radius * scale[i]) as Vec3;
            return rounding === 0 ? [{ name: "ball", make: unitBall, matrix: scaled(...radii) }] : own(() => sweptEllipsoid(radii, rounding));
        }
        case "box": {
            const half = shape.half_extents.map((extent, i) => extent * scale[i]) as Vec3;
            if (rounding === 0) return [{ name: "box", make: unitBox, matrix: scaled(...half) }];
            const corners = [...Array(8).keys()].map((i): Vec3 => [i & 1 ? -1 : 1, i & 2 ? -1 : 1, i & 4 ? -1 : 1]);
            return own(() => hullGeometry(vectors(corners, half), rounding));
        }
        case "hull": return own(() => hullGeometry(vectors(shape.vertices, scale), rounding));
        case "halfspace": return halfspace(shape.normal, shape.offset * scale[0] + rounding * Math.hypot(...shape.normal));
        case "compound": return compound(shape, scale, rounding);
        case "mesh": return own(() => meshGeometry(vectors(shape.vertices, scale), shape.triangles, rounding));
        case "heightfield": return own(() => heightfield(shape, scale, rounding));
    }
}
