// Contacts, their normals, and the nearest points of separated pairs, drawn over the bodies or among them.
import * as THREE from "three";

export interface ContactMark {
    position: THREE.Vector3;
    normal: THREE.Vector3;
    separation: number;
    pair: number;
}

export interface DistanceMark {
    a: THREE.Vector3;
    b: THREE.Vector3;
    pair: number;
}

const mostBalls = 4000; // contacts drawn as balls; more are so small that fewer triangles suffice
const deep = new THREE.Color(0xd7191c), touching = new THREE.Color(0xfdae3c), apart = new THREE.Color(0x2c7fb8), notKept = new THREE.Color(0x8b929c);

/** Red at `depth` and deeper, orange where surfaces touch, blue at `gap` and farther. */
export function separationColor(separation: number, depth: number, gap: number): THREE.Color {
    if (separation <= 0) return touching.clone().lerp(deep, Math.min(1, -separation / (depth || 1)));
    return touching.clone().lerp(apart, Math.min(1, separation / (gap || 1)));
}

export class Marks {
    readonly root = new THREE.Group();
    private readonly ball = new THREE.SphereGeometry(1, 12, 8);
    private readonly grain = new THREE.IcosahedronGeometry(1); // an eighth of the ball's triangles
    private readonly cone = new THREE.ConeGeometry(1, 2, 10).translate(0, -1, 0); // its apex at the origin
    private readonly material = new THREE.MeshBasicMaterial({ transparent: true }); // transparent: drawn after glass bodies
    private readonly lines = new THREE.LineBasicMaterial({ vertexColors: true, transparent: true });
    private contactMesh: THREE.InstancedMesh | null = null;
    private contactPairs: number[] = [];

    /** `onTop`: not hidden by bodies. */
    setOnTop(onTop: boolean): void {
        for (const material of [this.material, this.lines]) {
            material.depthTest = !onTop;
            material.needsUpdate = true;
        }
        this.root.renderOrder = onTop ? 10 : 0;
    }

    show(contacts: ContactMark[], distances: DistanceMark[], size: number, depth: number, gap: number, withNormals: boolean): void {
        for (const child of [...this.root.children]) this.remove(child);
        const colors = contacts.map(({ separation }) => separationColor(separation, depth, gap));
        this.contactPairs = contacts.map(({ pair }) => pair);
        this.contactMesh = this.instances(contacts.length > mostBalls ? this.grain : this.ball, contacts.map(({ position }) => new THREE.Matrix4().makeScale(size, size, size).setPosition(position)), colors);
        const segments: [THREE.Vector3, THREE.Vector3, THREE.Color][] = [];
        if (withNormals) {
            const up = new THREE.Vector3(0, 1, 0), heads: THREE.Matrix4[] = [];
            contacts.forEach(({ position, normal }, i) => {
                const tip = position.clone().addScaledVector(normal, 9 * size);
                segments.push([position, tip, colors[i]]);
                heads.push(new THREE.Matrix4().compose(tip, new THREE.Quaternion().setFromUnitVectors(up, normal), new THREE.Vector3(size, 1.3 * size, size)));
            });
            this.instances(this.cone, heads, colors);
        }
        const ends = distances.flatMap(({ a, b }) => [a, b]), dark = new THREE.Color(0x1f2937);
        this.instances(this.ball, ends.map((p) => new THREE.Matrix4().makeScale(0.8 * size, 0.8 * size, 0.8 * size).setPosition(p)), ends.map(() => dark));
        for (const { a, b } of distances) segments.push([a, b, dark]);
        this.addLines(segments);
    }

    /** Candidates that are not kept: after show, which removes them. */
    showCandidates(points: THREE.Vector3[], size: number): void {
        this.instances(this.ball, points.map((p) => new THREE.Matrix4().makeScale(size, size, size).setPosition(p)), points.map(() => notKept));
    }

    /** The pair whose contact is nearest on the ray. */
    pick(ray: THREE.Raycaster): number | null {
        const hit = this.contactMesh ? ray.intersectObject(this.contactMesh, false)[0] : undefined;
        return hit?.instanceId === undefined ? null : this.contactPairs[hit.instanceId];
    }

    private instances(geometry: THREE.BufferGeometry, matrices: THREE.Matrix4[], colors: THREE.Color[]): THREE.InstancedMesh | null {
        if (matrices.length === 0) return null;
        const mesh = new THREE.InstancedMesh(geometry, this.material, matrices.length);
        matrices.forEach((matrix, i) => {
            mesh.setMatrixAt(i, matrix);
            mesh.setColorAt(i, colors[i]);
        });
        mesh.frustumCulled = false;
        mesh.renderOrder = this.root.renderOrder;
        this.root.add(mesh);
        return mesh;
    }

    private addLines(segments: [THREE.Vector3, THREE.Vector3, THREE.Color][]): void {
        if (segments.length === 0) return;
        const geometry = new THREE.BufferGeometry().setFromPoints(segments.flatMap(([a, b]) => [a, b]));
        geometry.setAttribute("color", new THREE.Float32BufferAttribute(segments.flatMap(([, , color]) => [...color.toArray(), ...color.toArray()]), 3));
        const lines = new THREE.LineSegments(geometry, this.lines);
        lines.frustumCulled = false;
        lines.renderOrder = this.root.renderOrder;
        this.root.add(lines);
    }

    private remove(child: THREE.Object3D): void {
        this.root.remove(child);
        if (child instanceof THREE.InstancedMesh) child.dispose();
        if (child instanceof THREE.LineSegments) child.geometry.dispose();
    }
}
