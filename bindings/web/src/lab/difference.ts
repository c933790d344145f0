// The second picture: the surface of B - A, the origin, and the simplex or polytope of a step.
import * as THREE from "three";
import type { Stage } from "../draw/stage.js";
import type { Step } from "./gjk.js";
import { differenceSurface, type Posed } from "./support.js";

export class Difference {
    private readonly root = new THREE.Group();
    private readonly surface = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshStandardMaterial({ color: 0x9db7a5, transparent: true, opacity: 0.3, depthWrite: false, side: THREE.DoubleSide, roughness: 0.8 }));
    private readonly marks = new THREE.Group();

    constructor(private readonly stage: Stage) {
        this.root.add(this.surface, this.marks);
        stage.scene.add(this.root);
    }

    show(a: Posed, b: Posed, step: Step | null): void {
        this.surface.geometry.dispose();
        this.surface.geometry = differenceSurface(a, b);
        const box = new THREE.Box3().setFromBufferAttribute(this.surface.geometry.getAttribute("position") as THREE.BufferAttribute).expandByPoint(new THREE.Vector3());
        const size = box.getSize(new THREE.Vector3()).length();
        this.showStep(step, 0.012 * size);
        this.stage.lookAt(box.getCenter(new THREE.Vector3()), size / 2);
    }

    private showStep(step: Step | null, size: number): void {
        this.marks.clear();
        this.ball(new THREE.Vector3(), 1.3 * size, 0x111827);
        if (!step) return;
        const { vertices, nearest, added, inner } = step, lines: THREE.Vector3[] = [];
        const faces = step.kind !== "gjk" ? step.triangles : [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].filter((face) => face.every((corner) => corner < vertices.length));
        for (const face of faces) for (let i = 0; i < 3; ++i) lines.push(vertices[face[i]], vertices[face[(i + 1) % 3]]);
        if (vertices.length === 2) lines.push(vertices[0], vertices[1]);
        for (const vertex of vertices) this.ball(vertex, size, vertex === added ? 0xd7191c : 0x2f6fb3);
        if (added && !vertices.includes(added)) this.ball(added, size, 0xd7191c);
        this.line(lines, 0x2f6fb3);
        this.faces(faces, vertices);
        if (inner) this.ray(inner, vertices, size);
        if (!nearest) return;
        this.line([new THREE.Vector3(), nearest], 0xd9731a);
        this.ball(nearest, size, 0xd9731a);
    }

    /** MPR's ray from the inner point through the origin, and the lines to the portal. */
    private ray(inner: THREE.Vector3, vertices: THREE.Vector3[], size: number): void {
        this.ball(inner, size, 0x7c3aed);
        this.line([inner, inner.clone().multiplyScalar(-1 - (20 * size) / (inner.length() || 1))], 0x7c3aed);
        this.line(vertices.flatMap((vertex) => [inner, vertex]), 0x94a3b8);
    }

    private ball(at: THREE.Vector3, radius: number, color: number): void {
        const ball = new THREE.Mesh(new THREE.SphereGeometry(radius, 16, 10), new THREE.MeshBasicMaterial({ color, depthTest: false, transparent: true }));
        ball.position.copy(at);
        ball.renderOrder = 2;
        this.marks.add(ball);
    }

    private line(points: THREE.Vector3[], color: number): void {
        const line = new THREE.LineSegments(new THREE.BufferGeometry().setFromPoints(points), new THREE.LineBasicMaterial({ color, depthTest: false, transparent: true }));
        line.renderOrder = 1;
        this.marks.add(line);
    }

    private faces(faces: number[][], vertices: THREE.Vector3[]): void {
        const geometry = new THREE.BufferGeometry().setFromPoints(faces.flatMap((face) => face.map((corner) => vertices[corner])));
        this.marks.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: 0x2f6fb3, transparent: true, opacity: 0.22, side: THREE.DoubleSide, depthWrite: false })));
    }
}
