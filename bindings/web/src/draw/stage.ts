// The canvas: renderer, camera, light. It draws when something has changed, not all the time.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

export class NoWebGL extends Error {}

export class Stage {
    readonly scene = new THREE.Scene();
    readonly camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
    readonly controls: OrbitControls;
    /** Called before each picture. */
    onDraw: () => void = () => undefined;
    private readonly renderer: THREE.WebGLRenderer;
    private readonly sun = new THREE.DirectionalLight(0xffffff, 2.2);
    private isAsked = false;

    constructor(readonly canvas: HTMLCanvasElement, up = new THREE.Vector3(0, 1, 0)) {
        try {
            this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
        } catch {
            throw new NoWebGL("This browser gives the page no WebGL, which draws the pictures.");
        }
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
        this.scene.background = new THREE.Color(0xf3f4f6);
        const sky = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 1.5);
        sky.position.copy(up);
        this.camera.up.copy(up);
        this.scene.add(sky, this.camera);
        this.camera.add(this.sun);
        this.sun.position.set(-0.6, 0.9, 0.5);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.addEventListener("change", () => this.draw());
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
        this.resize();
    }

    /** Asks for a picture. */
    draw(): void {
        if (this.isAsked) return;
        this.isAsked = true;
        requestAnimationFrame(() => this.drawNow());
    }

    drawNow(): void {
        this.isAsked = false;
        this.onDraw();
        this.renderer.render(this.scene, this.camera);
    }

    /** Looks at a ball from the camera's present direction, or from `direction`. */
    lookAt(center: THREE.Vector3, radius: number, direction?: THREE.Vector3): void {
        const from = direction ?? this.camera.position.clone().sub(this.controls.target);
        const fit = Math.min(this.camera.aspect, 1) * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2));
        const distance = (1.02 * radius) / Math.sin(Math.atan(fit));
        this.controls.target.copy(center);
        this.camera.position.copy(center).addScaledVector(from.normalize(), distance);
        this.camera.near = radius / 200;
        this.camera.far = 60 * radius + distance;
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.draw();
    }

    /** Where a point is on the canvas, in CSS pixels; null behind the camera. */
    pixelOf(point: THREE.Vector3): [number, number] | null {
        const p = point.clone().project(this.camera);
        if (p.z > 1) return null;
        return [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight];
    }

    /** The ray through a pixel. */
    rayAt(event: { clientX: number; clientY: number }): THREE.Raycaster {
        const box = this.canvas.getBoundingClientRect(), ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2((2 * (event.clientX - box.left)) / box.width - 1, 1 - (2 * (event.clientY - box.top)) / box.height), this.camera);
        return ray;
    }

    private resize(): void {
        const { clientWidth, clientHeight } = this.canvas.parentElement!;
        if (clientWidth === 0 || clientHeight === 0) return;
        this.renderer.setSize(clientWidth, clientHeight);
        this.camera.aspect = clientWidth / clientHeight;
        this.camera.updateProjectionMatrix();
        this.drawNow();
    }
}
