// The lab: two shapes that can be dragged and rotated, and the library's answer at every move.
import * as THREE from "three";
import { Module } from "../abut/module.js";
import type { Shape } from "../abut/shapes.js";
import { World, type Trace } from "../abut/world.js";
import { Bodies } from "../draw/bodies.js";
import { Marks } from "../draw/marks.js";
import { NoWebGL, Stage } from "../draw/stage.js";
import { candidatesOf } from "../scene/candidates.js";
import { numbersOf } from "../scene/numbers.js";
import { bytesOfBase64 } from "../scene/scene.js";
import { byId, copyText, showNotice } from "../view/elements.js";
import { showNumbers } from "../view/panel.js";
import { Difference } from "./difference.js";
import { steps, type Step } from "./gjk.js";
import { portalSteps } from "./mpr.js";
import { addressOf, frameOf, lineOf, pairOf, readAddress, type LabSettings } from "./question.js";
import { isConvex, offered } from "./shapes.js";
import { differenceSupport, type Posed } from "./support.js";

const colors = [new THREE.Color(0x2f6fb3), new THREE.Color(0xd9731a)];
const firstPair = (): [Posed, Posed] => [
    { shape: offered.box, position: new THREE.Vector3(-0.55, 0, 0), orientation: new THREE.Quaternion().setFromEuler(new THREE.Euler(0.2, 0.5, 0)) },
    { shape: offered.cone, position: new THREE.Vector3(0.75, 0.25, 0), orientation: new THREE.Quaternion().setFromEuler(new THREE.Euler(0.3, 0, 0.7)) },
];

const traceText = ({ states, certifiedBy, iterations }: Trace) => `certified by ${certifiedBy} (${states.join(" → ")}, ${iterations} iteration${iterations === 1 ? "" : "s"})`;

class Lab {
    private pair = firstPair();
    private world: World;
    private settings: LabSettings = { margin: 0.02, slack: 0.005 };
    private step = 0;
    private steps: Step[] = [];
    private readonly bodies = new Bodies();
    private readonly marks = new Marks();
    private readonly difference: Difference;

    constructor(private readonly module: Module, private readonly stage: Stage, second: Stage) {
        this.world = this.newWorld(this.settings);
        this.difference = new Difference(second);
        stage.scene.add(this.bodies.root, this.marks.root);
        this.bodies.setLook("glass");
        this.marks.setOnTop(true);
        for (const at of [stage, second]) at.lookAt(new THREE.Vector3(), 1.35, new THREE.Vector3(0.4, 0.4, 1));
        this.connect();
        const address = location.hash;
        this.update(); // what a wrong address leaves
        this.readAddress(address);
    }

    private newWorld({ margin, slack }: LabSettings): World {
        return new World(this.module, { margin, contactSlack: slack });
    }

    private set(changes: Partial<LabSettings>): void {
        const settings = { ...this.settings, ...changes }, world = this.newWorld(settings);
        this.world.destroy();
        [this.settings, this.world] = [settings, world];
    }

    private readAddress(hash: string): void {
        if (hash.length < 2) return;
        try {
            const [line, settings] = readAddress(hash.slice(1));
            this.set(settings);
            if (this.read(line)) byId<HTMLTextAreaElement>("line").value = lineOf(this.pair);
        } catch (error) {
            showNotice(`The address holds no pair: ${error instanceof Error ? error.message : error}`, true);
        }
    }

    private update(isTyped = false): void {
        const { pair } = this;
        try {
            this.answer();
        } catch (error) {
            return showNotice(String(error));
        }
        byId("notice").hidden = true;
        byId("copied").textContent = "";
        this.bodies.show(pair.map((posed, i) => ({ ...posed, body: i, color: colors[i], isScenery: false })), 2);
        this.showDifference();
        if (!isTyped) byId<HTMLTextAreaElement>("line").value = lineOf(pair);
        history.replaceState(null, "", `#${addressOf(pair, this.settings)}`);
        pair.forEach(({ shape }, i) => {
            byId<HTMLInputElement>(`rounding-${"ab"[i]}`).value = String(shape.rounding ?? 0);
            byId<HTMLSelectElement>(`kind-${"ab"[i]}`).value = shape.shape;
        });
        for (const name of ["margin", "slack"] as const) {
            byId<HTMLInputElement>(name).value = String(this.settings[name]);
            byId(`${name}-text`).textContent = `${this.settings[name]} m`;
        }
        this.stage.draw();
    }

    private answer(): void {
        const ids: number[] = [];
        try {
            for (const { shape } of this.pair) ids.push(this.world.addShape(shape));
            const frame = frameOf(this.pair), bodies = { shapes: Uint32Array.from(ids), positions: frame.positions, orientations: frame.orientations };
            const distances = this.world.distance(bodies, frame.pairs, { traces: true }), manifolds = this.world.collide(bodies, frame.pairs, { traces: true });
            const numbers = numbersOf(frame, { distances, manifolds }, 0);
            byId("trace").textContent = `Distance: ${traceText(distances.traces![0])}. Contacts: ${traceText(manifolds.traces![0])}.`;
            const candidates = candidatesOf(this.pair[0], this.pair[1], numbers, this.settings.margin);
            showNumbers(numbers, [this.pair[0].shape.shape, this.pair[1].shape.shape], 0.1, this.settings.margin, candidates);
            const at = (p: ArrayLike<number>) => new THREE.Vector3(p[0], p[1], p[2]);
            const contacts = numbers.contacts.map(({ position, normal, separation }) => ({ position: at(position), normal: at(normal), separation, pair: 0 }));
            const hasPoints = numbers.hasAnswer && Number.isFinite(numbers.signedDistance);
            this.marks.show(contacts, hasPoints ? [{ a: at(numbers.pointA), b: at(numbers.pointB), pair: 0 }] : [], 0.022, 0.1, this.settings.margin, true);
            this.marks.showCandidates((candidates ?? []).filter(({ isKept }) => !isKept).map(({ position }) => at(position)), 0.022);
        } finally {
            for (const id of ids) this.world.removeShape(id);
        }
    }

    private showDifference(): void {
        const [a, b] = this.pair, isPossible = isConvex(a.shape) && isConvex(b.shape);
        byId("steps").hidden = !isPossible;
        byId("difference").parentElement!.hidden = !isPossible;
        if (!isPossible) return;
        const support = (direction: THREE.Vector3) => differenceSupport(a, b, direction), isPortal = byId<HTMLInputElement>("mpr").checked;
        this.steps = isPortal ? portalSteps(support) : steps(support);
        byId("mpr-note").hidden = !isPortal;
        byId("gjk-note").hidden = isPortal;
        this.step = Math.min(this.step, this.steps.length - 1);
        this.difference.show(a, b, this.steps[this.step]);
        byId("step-number").textContent = `step ${this.step + 1} of ${this.steps.length}`;
        byId("step-text").textContent = this.steps[this.step].text;
    }

    private read(line: string): boolean {
        try {
            const pair = pairOf(line), before = this.pair;
            this.pair = pair;
            try {
                this.answer();
            } catch (error) {
                this.pair = before;
                throw error;
            }
            this.update(true);
            return true;
        } catch (error) {
            showNotice(`This is no question of abut query: ${error instanceof Error ? error.message : error}`, true);
            return false;
        }
    }

    private setShape(i: number, shape: Shape): void {
        this.pair[i] = { ...this.pair[i], shape };
        this.step = 0;
        this.update();
    }

    private connect(): void {
        ["a", "b"].forEach((name, i) => {
            const kind = byId<HTMLSelectElement>(`kind-${name}`), rounding = byId<HTMLInputElement>(`rounding-${name}`);
            kind.append(...Object.keys(offered).map((each) => new Option(each)));
            kind.addEventListener("change", () => this.setShape(i, offered[kind.value]));
            rounding.addEventListener("input", () => this.setShape(i, { ...this.pair[i].shape, rounding: Number(rounding.value) }));
        });
        const line = byId<HTMLTextAreaElement>("line");
        for (const setting of ["margin", "slack"] as const) {
            const slider = byId<HTMLInputElement>(setting);
            slider.addEventListener("input", () => {
                this.set({ [setting]: Number(slider.value) });
                this.update();
            });
        }
        line.addEventListener("input", () => this.read(line.value));
        for (const [id, change] of [["previous", -1], ["next", 1]] as const) {
            byId(id).addEventListener("click", () => {
                this.step = Math.max(0, Math.min(this.steps.length - 1, this.step + change));
                this.showDifference();
            });
        }
        for (const id of ["gjk", "mpr"]) {
            byId(id).addEventListener("change", () => {
                this.step = 0;
                this.showDifference();
            });
        }
        byId("copy-link").addEventListener("click", () => void copyText(location.href));
        window.addEventListener("hashchange", () => this.readAddress(location.hash));
        this.connectDragging();
    }

    private connectDragging(): void {
        const { stage } = this, { canvas } = stage;
        let dragged: number | null = null;
        // Before the controls of the camera, which would drag as well.
        canvas.addEventListener("pointerdown", (event) => {
            dragged = this.bodies.pick(stage.rayAt(event));
            stage.controls.enabled = dragged === null;
            if (dragged !== null) canvas.setPointerCapture(event.pointerId);
        }, { capture: true });
        canvas.addEventListener("pointermove", (event) => {
            if (dragged === null) return;
            const { position, orientation } = this.pair[dragged], { camera } = stage;
            const [right, up] = [0, 1].map((axis) => new THREE.Vector3().setFromMatrixColumn(camera.matrixWorld, axis));
            if (event.shiftKey) {
                const axis = up.multiplyScalar(event.movementX).addScaledVector(right, event.movementY), angle = 0.01 * axis.length();
                if (angle > 0) orientation.premultiply(new THREE.Quaternion().setFromAxisAngle(axis.normalize(), angle)).normalize();
            } else {
                const metres = (2 * camera.position.distanceTo(position) * Math.tan(THREE.MathUtils.degToRad(camera.fov / 2))) / canvas.clientHeight;
                position.addScaledVector(right, metres * event.movementX).addScaledVector(up, -metres * event.movementY);
            }
            this.update();
        });
        for (const type of ["pointerup", "pointercancel"]) {
            canvas.addEventListener(type, () => {
                dragged = null;
                stage.controls.enabled = true;
            });
        }
    }
}

async function run(): Promise<void> {
    const module = await Module.load(bytesOfBase64(byId("abut-module").textContent!.trim()));
    new Lab(module, new Stage(byId<HTMLCanvasElement>("canvas")), new Stage(byId<HTMLCanvasElement>("difference")));
    document.body.dataset.ready = "answers";
}

run().catch((error: unknown) => {
    document.body.dataset.ready = "failed";
    showNotice(error instanceof NoWebGL ? error.message : `The lab cannot be shown: ${error}`);
});
