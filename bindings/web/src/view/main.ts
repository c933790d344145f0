// The page of `abut view`: reads the scene, draws it, asks the module for the answers, and lets the reader pick pairs.
import * as THREE from "three";
import { Module } from "../abut/module.js";
import type { Kind } from "../abut/shapes.js";
import { kindColors, type Look } from "../draw/bodies.js";
import { NoWebGL, Stage } from "../draw/stage.js";
import { answerLine, numbersOf, questionLine } from "../scene/numbers.js";
import { Answerer, bytesOfBase64, marginOf, readScene, sumsOf, type Answers, type Frame, type Scene } from "../scene/scene.js";
import { Charts } from "./charts.js";
import { Checksums } from "./checksums.js";
import { Joints } from "./joints.js";
import { byId, copyText, element, showNotice } from "./elements.js";
import { dot, kindsOf, showNumbers, showResults } from "./panel.js";
import { Picture, type PictureOptions } from "./picture.js";
import { contactCount, search, statusOf } from "./search.js";

const firstDirection = new THREE.Vector3(0.55, 0.5, 1), ofRobots = new THREE.Vector3(1, -0.55, 0.5); // robots stand along Z
const secondsPerFrame = 0.4;
const distancePairs = 30; // frames up to so many pairs begin with their distances
const glassBodies = 40; // scenes up to so many bodies begin as glass

class Viewer {
    private frameIndex = 0;
    private pair: number | null = null;
    private timer = 0;
    private answerer: Answerer | null = null;
    private charts: Charts | null = null;
    private joints: Joints | null = null;
    private readonly picture: Picture;

    constructor(private readonly scene: Scene, private readonly stage: Stage) {
        this.picture = new Picture(stage, scene);
        stage.onDraw = () => this.placeLabels();
        const { robot } = scene, isSmall = this.frame.shapes.length <= glassBodies;
        this.setLook(isSmall && !robot ? "glass" : "solid");
        for (const [id, isOn] of [["show-normals", isSmall && !robot], ["show-distances", !!robot || (isSmall && this.frame.pairs.length / 2 <= distancePairs)], ["on-top", true]] as const) byId<HTMLInputElement>(id).checked = isOn;
        this.connect();
        if (robot) this.joints = new Joints(robot, (frame) => this.replaceFrame(frame));
        this.picture.frameView([this.frame, scene.frames.at(-1)!], (robot ? ofRobots : firstDirection).clone());
        this.update();
    }

    /** The answers come after the first picture of the bodies. */
    setModule(module: Module): void {
        this.answerer = new Answerer(module, this.scene);
        this.charts = new Charts(this.scene, this.answerer, { search: (text) => this.searchFor(text), setFrame: (index) => this.setFrame(index) });
        new Checksums(this.scene, this.answerer);
        this.update();
        const answers = this.answers!;
        if (this.frame.sums && String(sumsOf(answers)) !== String(this.frame.sums) && !this.frame.status) {
            showNotice("Some answers differ from those of the program that wrote this page: this is a bug of abut. abut query has the program's.", true);
        }
    }

    private get frame(): Frame {
        return this.scene.frames[this.frameIndex];
    }

    private get answers(): Answers | null {
        return this.answerer?.answers(this.frame) ?? null;
    }

    private options(): PictureOptions {
        const isOn = (id: string) => byId<HTMLInputElement>(id).checked;
        return { contacts: isOn("show-contacts"), normals: isOn("show-normals"), distances: isOn("show-distances"), onTop: isOn("on-top") };
    }

    private update(): void {
        this.picture.show(this.frame, this.answers, this.pair, this.options());
        this.showLegend();
        this.showSummary();
        this.showFound();
        this.showPicked();
        if (this.answers) this.charts?.show(this.frameIndex, this.frame, this.answers, this.picture.depth);
        if (this.answers) this.joints?.showNearest(this.frame, this.answers);
        byId("charts").hidden = !this.answers;
        byId("frame-text").textContent = `${this.frame.label} (${this.frameIndex + 1} of ${this.scene.frames.length})`;
        byId<HTMLInputElement>("frame").value = String(this.frameIndex);
        byId("legend").hidden = this.pair !== null;
        document.body.dataset.ready = this.answers ? "answers" : "bodies";
    }

    private setLook(look: Look): void {
        this.picture.bodies.setLook(look);
        byId<HTMLInputElement>("looks").querySelector<HTMLInputElement>(`[value=${look}]`)!.checked = true;
    }

    private setFrame(index: number): void {
        const pair = this.pair === null ? null : [this.frame.pairs[2 * this.pair], this.frame.pairs[2 * this.pair + 1]];
        this.frameIndex = (index + this.scene.frames.length) % this.scene.frames.length;
        const isQuestion = this.frame.line !== undefined;
        if (isQuestion) {
            this.pair = this.frame.pairs.length > 0 ? 0 : null; // each frame is another pair
        } else if (pair) {
            const at = [...Array(this.frame.pairs.length / 2).keys()].find((i) => this.frame.pairs[2 * i] === pair[0] && this.frame.pairs[2 * i + 1] === pair[1]);
            this.pair = at ?? null;
        }
        this.update();
        if (isQuestion) this.pair === null ? this.picture.frameView([this.frame]) : this.picture.framePair(this.frame, this.answers, this.pair);
    }

    /** Of a robot, whose joints have moved. */
    private replaceFrame(frame: Frame): void {
        this.answerer?.forget(this.frame);
        this.scene.frames[this.frameIndex] = frame;
        this.update();
    }

    private pick(pair: number | null): void {
        const before = this.pair;
        this.pair = pair;
        if (pair !== null) this.setLook("glass");
        else if (this.frame.shapes.length > glassBodies) this.setLook("solid");
        this.update();
        if (pair !== null) this.picture.framePair(this.frame, this.answers, pair);
        else if (before !== null) this.picture.frameView([this.frame]);
    }

    private showSummary(): void {
        const { frame, answers } = this, count = (n: number, one: string) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;
        const parts = [count(frame.shapes.length, "body").replace("bodys", "bodies"), count(frame.pairs.length / 2, "pair")];
        if (answers) {
            const pairs = [...Array(frame.pairs.length / 2).keys()];
            parts.push(count(answers.distances.signedDistance.filter((distance, i) => distance <= 0 && answers.distances.status[i] <= 1).length, "overlap"),
                       count(answers.manifolds.separation.length, "contact"));
            const bad = pairs.filter((pair) => statusOf(answers, pair) !== "ok").length;
            if (bad > 0) parts.push(`${bad.toLocaleString("en")} not ok`);
        }
        byId("summary").textContent = frame.status ? `line ${frame.line}: ${frame.status}: ${frame.message}` : parts.join(" · ");
    }

    private showFound(): void {
        const { answers } = this;
        if (!answers) return;
        const { pairs, unknown } = search(byId<HTMLInputElement>("search").value, this.scene, this.frame, answers);
        byId("found").textContent = unknown.length > 0 ? `"${unknown[0]}" is no body, kind, status or state of this frame` : `${pairs.length.toLocaleString("en")} pairs, the deepest first`;
        showResults(this.scene, this.frame, answers, unknown.length > 0 ? [] : pairs, this.pair, (pair) => this.pick(pair));
    }

    private questionId(): unknown {
        return this.frame.id ?? `${this.scene.title} ${this.frame.label} ${this.frame.pairs[2 * this.pair!]}-${this.frame.pairs[2 * this.pair! + 1]}`;
    }

    private showPicked(): void {
        const { answers, pair, frame } = this;
        byId("picked").hidden = pair === null || !answers;
        if (pair === null || !answers) return;
        showNumbers(numbersOf(frame, answers, pair), kindsOf(this.scene, frame, pair), this.picture.depth, marginOf(this.scene, frame, pair), this.picture.candidates);
        byId<HTMLTextAreaElement>("line").value = questionLine(this.questionId(), frame, this.scene.shapes, frame.pairs[2 * pair], frame.pairs[2 * pair + 1]);
        byId("copied").textContent = "";
    }

    private placeLabels(): void {
        const labels = byId("labels");
        if (this.pair === null) return labels.replaceChildren();
        const ends = [this.frame.pairs[2 * this.pair], this.frame.pairs[2 * this.pair + 1]];
        labels.replaceChildren(...ends.flatMap((body, end) => {
            const at = this.stage.pixelOf(this.picture.drawn(this.frame.positions, body));
            if (!at) return [];
            const label = element("span", end === 0 ? "of-a" : "of-b", `${"AB"[end]} ${body}`);
            label.style.left = `${at[0]}px`;
            label.style.top = `${at[1]}px`;
            return [label];
        }));
    }

    private showLegend(): void {
        const kinds = [...new Set(this.scene.shapes.map(({ shape }) => shape))];
        const color = (kind: Kind) => new THREE.Color(kindColors[kind]).getStyle();
        byId("legend").replaceChildren("contacts", element("div", "bar"),
            element("div", "ends", element("span", "", this.picture.depth > 0 ? `${Number((1000 * this.picture.depth).toPrecision(2))} mm deep` : "deep"), element("span", "", "touching"), element("span", "", `${Number((1000 * marginOf(this.scene, this.frame, this.pair)).toPrecision(4))} mm apart`)),
            element("div", "kinds", ...kinds.map((kind) => dot(color(kind), kind))));
    }

    private searchFor(text: string): void {
        byId<HTMLInputElement>("search").value = text;
        this.showFound();
        byId("finder").scrollIntoView({ block: "nearest" });
    }

    private play(isOn: boolean): void {
        window.clearInterval(this.timer);
        this.timer = isOn ? window.setInterval(() => this.setFrame(this.frameIndex + 1), 1000 * secondsPerFrame) : 0;
        byId("play").textContent = isOn ? "❚❚" : "►";
    }

    private pickAt(event: MouseEvent): void {
        const { answers } = this, ray = this.stage.rayAt(event);
        if (!answers) return;
        const contact = this.pair === null ? this.picture.marks.pick(ray) : null;
        if (contact !== null) return this.pick(contact);
        const body = this.picture.bodies.pick(ray);
        if (body === null || this.pair !== null) return;
        const box = byId<HTMLInputElement>("search");
        box.value = String(body);
        this.showFound();
        const { pairs } = search(box.value, this.scene, this.frame, answers);
        if (pairs.length > 0 && contactCount(answers, pairs[0]) > 0) this.pick(pairs[0]); // its deepest contact
    }

    private connect(): void {
        const { canvas } = this.stage, on = (id: string, type: string, run: () => void) => byId(id).addEventListener(type, run);
        const slider = byId<HTMLInputElement>("frame");
        slider.max = String(this.scene.frames.length - 1);
        byId("player").hidden = this.scene.frames.length < 2;
        on("frame", "input", () => this.setFrame(Number(slider.value)));
        on("next", "click", () => this.setFrame(this.frameIndex + 1));
        on("previous", "click", () => this.setFrame(this.frameIndex - 1));
        on("play", "click", () => this.play(this.timer === 0));
        on("search", "input", () => this.showFound());
        on("show-all", "click", () => this.pick(null));
        for (const id of ["show-contacts", "show-normals", "show-distances", "on-top"]) on(id, "change", () => this.update());
        for (const input of byId("looks").querySelectorAll("input")) {
            input.addEventListener("change", () => {
                this.setLook(input.value as Look);
                this.stage.draw();
            });
        }
        for (const word of ["deepest", "contact", "apart", "not_converged"]) {
            const chip = element("button", "", word);
            chip.addEventListener("click", () => {
                this.searchFor(word);
                if (word === "deepest" && this.answers) {
                    const { pairs } = search(word, this.scene, this.frame, this.answers);
                    if (pairs.length > 0) this.pick(pairs[0]);
                }
            });
            byId("chips").append(chip);
        }
        on("copy-question", "click", () => void copyText(byId<HTMLTextAreaElement>("line").value));
        on("copy-answer", "click", () => {
            if (this.answers && this.pair !== null) {
                void copyText(answerLine(this.questionId(), numbersOf(this.frame, this.answers, this.pair), kindsOf(this.scene, this.frame, this.pair)));
            }
        });
        let down: MouseEvent | null = null;
        canvas.addEventListener("pointerdown", (event) => { down = event; });
        canvas.addEventListener("pointerup", (event) => {
            if (down && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < 4) this.pickAt(event);
        });
        window.addEventListener("keydown", (event) => {
            if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
            if (event.key === "Escape") this.pick(null);
            if (event.key === "ArrowRight") this.setFrame(this.frameIndex + 1);
            if (event.key === "ArrowLeft") this.setFrame(this.frameIndex - 1);
            if (event.key === " ") this.play(this.timer === 0);
        });
    }

    /** Questions begin with their pair picked. */
    async begin(): Promise<void> {
        if (this.frame.line !== undefined) this.setFrame(0);
        await this.charts?.sampleFrames();
    }
}

async function run(): Promise<void> {
    const scene = readScene(bytesOfBase64(byId("abut-scene").textContent!.trim()));
    document.title = `${scene.title} – abut view`;
    byId("title").textContent = scene.title;
    if (scene.frames.length === 0) return showNotice("This capture has no frames.");
    const viewer = new Viewer(scene, new Stage(byId<HTMLCanvasElement>("canvas"), scene.robot && new THREE.Vector3(0, 0, 1)));
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame); // the bodies first
    performance.mark("first picture");
    if (typeof WebAssembly === "undefined") return showNotice("This browser has no WebAssembly, which computes the contacts.");
    viewer.setModule(await Module.load(bytesOfBase64(byId("abut-module").textContent!.trim())));
    await viewer.begin();
}

run().catch((error: unknown) => {
    document.body.dataset.ready = "failed";
    showNotice(error instanceof NoWebGL ? `${error.message} Turn on hardware acceleration, or open the page in another browser.` : `The page cannot be shown: ${error}`);
});
