// The scene of a page: what tools/abut/view_page.hpp writes, and the answers that the module computes for a frame.
import { Module } from "../abut/module.js";
import type { Shape } from "../abut/shapes.js";
import { World, type Bodies, type Distances, type Manifolds, type Overlaps, type QueryOptions } from "../abut/world.js";
import { sumOfDistances, sumOfManifolds, sumOfOverlaps, sumText } from "./checksum.js";
import { FrameReader, type FrameColumns } from "./frames.js";
import { frameOf, type Robot } from "./robot.js";

/** Of each body: the index of its shape, position (x, y, z), orientation (x, y, z, w). Of each pair: two body indices. */
export interface Frame extends FrameColumns {
    label: string;
    /** Of a question of `abut query`. */
    id?: unknown;
    line?: number;
    /** Why a question was refused. */
    status?: string;
    message?: string;
    /** Checksums of the answers of the program that wrote the page, if one did. */
    sums?: string[];
}

export interface Scene {
    title: string;
    version: string;
    margin: number;
    shapes: Shape[];
    frames: Frame[];
    /** Whose only frame its joints make. */
    robot?: Robot;
}

export interface Answers {
    overlaps: Overlaps;
    distances: Distances;
    manifolds: Manifolds;
}

/** Of overlaps, distances and contacts, as the program writes them. */
export const sumsOf = ({ overlaps, distances, manifolds }: Answers): string[] => [sumOfOverlaps(overlaps), sumOfDistances(distances), sumOfManifolds(manifolds)].map(sumText);

export function bytesOfBase64(text: string): Uint8Array {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

export function readScene(bytes: Uint8Array): Scene {
    const headerLength = new DataView(bytes.buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + headerLength)));
    const robot: Robot | undefined = header.robot;
    if (robot) {
        const { title, version, margin, shapes } = header;
        return { title, version, margin, shapes, robot, frames: [frameOf(robot, robot.values.map(({ value }) => value))] };
    }
    const reader = new FrameReader(bytes, 4 + headerLength);
    const frames = header.frames.map((frame: Record<string, any>): Frame => {
        const label = frame.label ?? (frame.id === null ? `line ${frame.line}` : String(frame.id));
        return { label, id: frame.id, line: frame.line, status: frame.status, message: frame.message, sums: frame.sums, ...reader.frame(frame.bodies, frame.pairs) };
    });
    return { title: header.title, version: header.version, margin: header.margin, shapes: header.shapes, frames };
}

/** Within it a pair has contacts; of several pairs the largest. */
export const marginOf = ({ margin }: Scene, { margins }: Frame, pair: number | null): number =>
    margins.length === 0 ? margin : pair === null ? margins.reduce((most, own) => Math.max(most, own), 0) : margins[pair];

/** Answers frames, those that are kept once each. */
export class Answerer {
    private readonly world: World;
    private readonly ids = new Map<number, number>();
    private readonly known = new Map<Frame, Answers>();

    constructor(module: Module, private readonly scene: Scene) {
        this.world = new World(module, { margin: scene.margin });
    }

    /** Answers that are kept have traces. */
    answers(frame: Frame, isKept = true): Answers {
        const answers = this.known.get(frame) ?? this.ask(frame, { traces: isKept });
        if (isKept) this.known.set(frame, answers);
        return answers;
    }

    /** A frame that is shown no more. */
    forget(frame: Frame): void {
        this.known.delete(frame);
    }

    private ask(frame: Frame, options: QueryOptions): Answers {
        const bodies: Bodies = { shapes: frame.shapes.map((index) => this.id(index)), positions: frame.positions, orientations: frame.orientations };
        return { overlaps: this.world.overlap(bodies, frame.pairs), distances: this.world.distance(bodies, frame.pairs, options),
                 manifolds: this.world.collide(bodies, frame.pairs, { ...options, ...(frame.margins.length > 0 && { margins: frame.margins }) }) };
    }

    private id(index: number): number {
        let id = this.ids.get(index);
        if (id === undefined) this.ids.set(index, (id = this.world.addShape(this.scene.shapes[index])));
        return id;
    }
}
