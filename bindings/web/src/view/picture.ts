// The picture of a frame: its bodies, the contacts and distances of its pairs, or those of one pair alone.
import * as THREE from "three";
import { Bodies, kindColors, type DrawnBody } from "../draw/bodies.js";
import { Marks, type ContactMark, type DistanceMark } from "../draw/marks.js";
import type { Stage } from "../draw/stage.js";
import type { Vec3 } from "../abut/shapes.js";
import { candidatesOf, type Candidate } from "../scene/candidates.js";
import { numbersOf } from "../scene/numbers.js";
import { marginOf, type Answers, type Frame, type Scene } from "../scene/scene.js";

export interface PictureOptions {
    contacts: boolean;
    normals: boolean;
    distances: boolean;
    onTop: boolean;
}

const sceneryRatio = 6; // of a radius to the median radius
const leastMark = 0.0045, fewMarks = 4000; // of the scene's radius, for so many contacts; smaller for more, which would hide the bodies
const nearest = 8; // distances that are drawn, unless a pair is picked
export const colorOfA = 0x2f6fb3, colorOfB = 0xd9731a;

/** The value that a fraction of the sorted list is below. */
function quantile(sorted: number[], fraction: number): number {
    return sorted[Math.min(sorted.length - 1, Math.floor(fraction * sorted.length))] ?? 0;
}

export class Picture {
    readonly bodies = new Bodies();
    readonly marks = new Marks();
    /** The separation that is drawn in the deepest red, metres. */
    depth = 0;
    /** Of the only pair shown; null where they are not known. */
    candidates: Candidate[] | null = null;
    /** Near the middle of the scene: drawn as the origin, so that 32-bit numbers suffice far from it. */
    private readonly origin: Vec3;

    constructor(private readonly stage: Stage, private readonly scene: Scene) {
        const first = scene.frames.find((frame) => frame.shapes.length > 0);
        const finite = (axis: number) => [...Array(first?.shapes.length ?? 0).keys()].map((i) => first!.positions[3 * i + axis]).filter(Number.isFinite).sort((p, q) => p - q);
        this.origin = [0, 1, 2].map((axis) => quantile(finite(axis), 0.5)) as Vec3;
        stage.scene.add(this.bodies.root, this.marks.root);
    }

    drawn(p: ArrayLike<number>, i = 0): THREE.Vector3 {
        return new THREE.Vector3(p[3 * i] - this.origin[0], p[3 * i + 1] - this.origin[1], p[3 * i + 2] - this.origin[2]);
    }

    /** Looks at the bodies of all these frames. `direction`: from where; the present one where it is left out. */
    frameView(frames: Frame[], direction?: THREE.Vector3): void {
        const { center, radius } = this.extent(frames.map((frame): [Frame, number[]] => [frame, this.foreground(frame, [...frame.shapes.keys()])]));
        this.stage.lookAt(center, radius, direction);
    }

    /** Looks at a pair: at its points, from so near that the smaller body fills the picture. */
    framePair(frame: Frame, answers: Answers | null, pair: number): void {
        const pairBodies = [frame.pairs[2 * pair], frame.pairs[2 * pair + 1]];
        const { center, radius } = this.extent([[frame, pairBodies]]);
        const radii = pairBodies.map((body) => this.bodies.radiusOf(this.scene.shapes[frame.shapes[body]])).filter((each) => each > 0);
        const distance = answers?.distances.signedDistance[pair] ?? NaN;
        const near = 2.4 * Math.min(...radii, radius) + 0.6 * Math.max(0, distance);
        if (!(near < radius) || !answers) return this.stage.lookAt(center, radius);
        const numbers = numbersOf(frame, answers, pair);
        const middle = this.drawn(numbers.pointA).add(this.drawn(numbers.pointB)).multiplyScalar(0.5);
        this.stage.lookAt(middle, near);
    }

    /** `pair`: the only one shown, with its two bodies. */
    show(frame: Frame, answers: Answers | null, pair: number | null, options: PictureOptions): void {
        const all = [...frame.shapes.keys()];
        const shown = pair === null ? all : [...new Set([frame.pairs[2 * pair], frame.pairs[2 * pair + 1]])];
        const { radius } = this.extent([[frame, this.foreground(frame, all)]]);
        this.bodies.show(this.drawnBodies(frame, shown, pair), 1.6 * radius);
        const marks = answers ? this.marksOf(frame, answers, pair, options) : { contacts: [], distances: [] };
        const gap = marginOf(this.scene, frame, pair), crowd = Math.sqrt(Math.min(1, fewMarks / Math.max(1, marks.contacts.length)));
        const markSize = Math.max(this.markSize(frame, shown), pair === null ? leastMark * radius * crowd : 0);
        this.marks.setOnTop(options.onTop || pair !== null);
        this.marks.show(marks.contacts, marks.distances, markSize, this.depth, gap, options.normals || pair !== null);
        this.candidates = answers && pair !== null ? this.candidatesOf(frame, answers, pair) : null;
        this.marks.showCandidates((this.candidates ?? []).filter(({ isKept }) => !isKept).map(({ position }) => this.drawn(position)), markSize);
        this.stage.draw();
    }

    private candidatesOf(frame: Frame, answers: Answers, pair: number): Candidate[] | null {
        const [a, b] = [0, 1].map((end) => {
            const body = frame.pairs[2 * pair + end], orientation = new THREE.Quaternion().fromArray(frame.orientations, 4 * body).normalize();
            return { shape: this.scene.shapes[frame.shapes[body]], position: new THREE.Vector3().fromArray(frame.positions, 3 * body), orientation };
        });
        return candidatesOf(a, b, numbersOf(frame, answers, pair), marginOf(this.scene, frame, pair));
    }

    /** The bodies without those that are far larger than most. */
    private foreground(frame: Frame, bodies: number[]): number[] {
        const radii = bodies.map((body) => this.bodies.radiusOf(this.scene.shapes[frame.shapes[body]]));
        const most = sceneryRatio * quantile(radii.filter((radius) => radius > 0).sort((p, q) => p - q), 0.5);
        return bodies.length < 3 ? bodies : bodies.filter((_, i) => radii[i] > 0 && radii[i] <= most);
    }

    private drawnBodies(frame: Frame, shown: number[], pair: number | null): DrawnBody[] {
        const color = (body: number) => pair === null ? kindColors[this.scene.shapes[frame.shapes[body]].shape] : body === frame.pairs[2 * pair] ? colorOfA : colorOfB;
        const foreground = new Set(this.foreground(frame, shown));
        return shown.flatMap((body) => {
            const position = this.drawn(frame.positions, body), orientation = new THREE.Quaternion(...frame.orientations.subarray(4 * body, 4 * body + 4)).normalize();
            const isFinite = [...position.toArray(), ...orientation.toArray()].every((number) => Number.isFinite(number));
            return isFinite ? [{ body, shape: this.scene.shapes[frame.shapes[body]], position, orientation, color: new THREE.Color(color(body)), isScenery: !foreground.has(body) }] : [];
        });
    }

    private marksOf(frame: Frame, answers: Answers, pair: number | null, options: PictureOptions): { contacts: ContactMark[]; distances: DistanceMark[] } {
        const contacts: ContactMark[] = [], distances: DistanceMark[] = [];
        const { distances: d, manifolds: m } = answers;
        const deepest = [...m.separation].filter((separation) => separation < 0).sort((p, q) => p - q);
        this.depth = -quantile(deepest, 0.02) || marginOf(this.scene, frame, pair);
        const pairs = pair === null ? [...Array(frame.pairs.length / 2).keys()] : [pair];
        const apart = pairs.filter((i) => d.status[i] <= 1 && Number.isFinite(d.signedDistance[i]) && (pair !== null || d.signedDistance[i] > 0));
        apart.sort((i, k) => d.signedDistance[i] - d.signedDistance[k]);
        for (const i of options.distances || pair !== null ? apart.slice(0, this.scene.robot ? 1 : nearest) : []) {
            const origin = this.drawn(frame.positions, frame.pairs[2 * i]), at = (column: Float32Array) => new THREE.Vector3().fromArray(column, 3 * i).add(origin);
            distances.push({ a: at(d.pointA), b: at(d.pointB), pair: i });
        }
        for (const i of pairs) {
            const origin = this.drawn(frame.positions, frame.pairs[2 * i]);
            const at = (column: Float32Array, k: number) => new THREE.Vector3(column[3 * k], column[3 * k + 1], column[3 * k + 2]).add(origin);
            for (let k = m.firstManifold[i]; options.contacts && k < m.firstManifold[i + 1]; ++k) {
                const normal = new THREE.Vector3().fromArray(m.normal, 3 * k);
                for (let c = m.firstContact[k]; c < m.firstContact[k] + m.contactCount[k]; ++c) {
                    contacts.push({ position: at(m.position, c), normal, separation: m.separation[c], pair: i });
                }
            }
        }
        return { contacts, distances };
    }

    /** Marks are small beside the bodies, whatever the scene's size. */
    private markSize(frame: Frame, shown: number[]): number {
        const radii = shown.map((body) => this.bodies.radiusOf(this.scene.shapes[frame.shapes[body]])).filter((radius) => radius > 0).sort((p, q) => p - q);
        return 0.045 * (quantile(radii, shown.length > 2 ? 0.4 : 0) || 1);
    }

    private extent(groups: [Frame, number[]][]): { center: THREE.Vector3; radius: number } {
        // All but the outermost hundredth along each axis: a body that has fallen off would make the others small.
        const box = new THREE.Box3(), ends: [number, number][][] = [[], [], []];
        for (const [frame, bodies] of groups) {
            for (const body of bodies) {
                const radius = this.bodies.radiusOf(this.scene.shapes[frame.shapes[body]]), p = this.drawn(frame.positions, body).toArray();
                if (radius > 0 && p.every((number) => Number.isFinite(number))) p.forEach((x, axis) => ends[axis].push([x - radius, x + radius]));
            }
        }
        if (ends[0].length > 0) {
            const bound = (end: 0 | 1, fraction: number) => ends.map((axis) => quantile(axis.map((range) => range[end]).sort((p, q) => p - q), fraction));
            box.set(new THREE.Vector3(...bound(0, 0.01)), new THREE.Vector3(...bound(1, 0.99)));
        }
        if (box.isEmpty()) box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
        return { center: box.getCenter(new THREE.Vector3()), radius: 0.5 * box.getSize(new THREE.Vector3()).length() || 1 };
    }
}
