// Bodies as instances: one draw call for each geometry, whatever the number of bodies.
import * as THREE from "three";
import type { Kind, Shape } from "../abut/shapes.js";
import { partsOf, type Part } from "./parts.js";

export type Look = "solid" | "glass" | "wire";

export const kindColors: Record<Kind, number> = {
    sphere: 0x7aa6d8, capsule: 0x8cc3a2, box: 0xdcb27e, hull: 0xb59ad0, cylinder: 0xd6919b, cone: 0xc9c079, ellipsoid: 0x7fc4c9,
    halfspace: 0xb8bec7, compound: 0xd79ac0, mesh: 0xa9b0ba, heightfield: 0xa8b69a,
};

export interface Pose {
    position: THREE.Vector3;
    orientation: THREE.Quaternion;
}

export interface DrawnBody extends Pose {
    /** The caller's number of the body. */
    body: number;
    shape: Shape;
    color: THREE.Color;
    /** Far larger than the others (ground, walls): drawn as glass, so that it hides nothing; walls faintly. */
    isScenery: boolean;
}

interface Group {
    mesh: THREE.InstancedMesh;
    /** Of each instance. */
    bodies: number[];
}

export class Bodies {
    readonly root = new THREE.Group();
    private groups: Group[] = [];
    private readonly geometries = new Map<string, THREE.BufferGeometry>();
    private readonly parts = new WeakMap<Shape, Part[]>();
    private look: Look = "solid";
    private readonly material = new THREE.MeshStandardMaterial({ roughness: 0.75, metalness: 0, side: THREE.DoubleSide });
    private readonly sceneryMaterial = new THREE.MeshStandardMaterial({ roughness: 1, transparent: true, opacity: 0.16, depthWrite: false });
    private readonly planeMaterial = new THREE.MeshStandardMaterial({ roughness: 1, side: THREE.DoubleSide, transparent: true, opacity: 0.55, depthWrite: false });

    setLook(look: Look): void {
        this.look = look;
        this.material.wireframe = look === "wire";
        this.material.transparent = look !== "solid";
        this.material.opacity = look === "glass" ? 0.38 : 1;
        this.material.depthWrite = look !== "glass";
        this.material.needsUpdate = true;
    }

    /** `planeSize`: half the edge of the square that stands for a half-space. */
    show(bodies: DrawnBody[], planeSize: number): void {
        for (const { mesh } of this.groups) {
            this.root.remove(mesh);
            mesh.dispose();
        }
        const instances = new Map<string, { part: Part; matrices: THREE.Matrix4[]; bodies: DrawnBody[] }>();
        for (const body of bodies) {
            const pose = new THREE.Matrix4().compose(body.position, body.orientation, new THREE.Vector3(1, 1, 1));
            for (const part of this.partsOf(body.shape)) {
                const name = `${part.name} ${body.isScenery}`;
                const group = instances.get(name) ?? { part, matrices: [], bodies: [] };
                const matrix = pose.clone().multiply(part.matrix);
                if (part.isPlane) matrix.multiply(new THREE.Matrix4().makeScale(planeSize, planeSize, 1));
                group.matrices.push(matrix);
                group.bodies.push(body);
                instances.set(name, group);
            }
        }
        this.groups = [...instances.values()].map(({ part, matrices, bodies: of }) => {
            const isGround = of[0].isScenery && ["mesh", "heightfield"].includes(of[0].shape.shape);
            const material = part.isPlane || isGround ? this.planeMaterial : of[0].isScenery ? this.sceneryMaterial : this.material;
            const mesh = new THREE.InstancedMesh(this.geometry(part), material, matrices.length);
            matrices.forEach((matrix, i) => {
                mesh.setMatrixAt(i, matrix);
                mesh.setColorAt(i, of[i].color);
            });
            mesh.frustumCulled = false;
            this.root.add(mesh);
            return { mesh, bodies: of.map(({ body }) => body) };
        });
    }

    /** The nearest body on the ray, half-spaces and scenery excepted. */
    pick(ray: THREE.Raycaster): number | null {
        const meshes = this.groups.filter(({ mesh }) => mesh.material === this.material).map(({ mesh }) => mesh);
        const hit = ray.intersectObjects(meshes, false)[0];
        if (!hit || hit.instanceId === undefined) return null;
        return this.groups.find(({ mesh }) => mesh === hit.object)!.bodies[hit.instanceId];
    }

    /** The radius of a ball about the body's origin that holds the shape; 0 for a half-space. */
    radiusOf(shape: Shape): number {
        let radius = 0;
        for (const part of this.partsOf(shape)) {
            if (part.isPlane) continue;
            const geometry = this.geometry(part);
            if (!geometry.boundingBox) geometry.computeBoundingBox();
            const box = geometry.boundingBox!.clone().applyMatrix4(part.matrix);
            radius = Math.max(radius, box.min.length(), box.max.length());
        }
        return radius;
    }

    get currentLook(): Look {
        return this.look;
    }

    private partsOf(shape: Shape): Part[] {
        let parts = this.parts.get(shape);
        if (!parts) this.parts.set(shape, (parts = partsOf(shape)));
        return parts;
    }

    private geometry(part: Part): THREE.BufferGeometry {
        let geometry = this.geometries.get(part.name);
        if (!geometry) this.geometries.set(part.name, (geometry = part.make()));
        return geometry;
    }
}
