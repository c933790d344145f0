// A store of shapes and a narrow phase: questions about many pairs in one call, typed arrays in and out.
import { Module, Scratch } from "./module.js";
import { addShape, noShape, type Shape } from "./shapes.js";

/** One element, or three or four, for each body. */
export interface Bodies {
    /** Ids of World.addShape. */
    shapes: Uint32Array;
    /** x, y, z in metres. */
    positions: Float32Array;
    /** x, y, z, w of unit length to within 1%. */
    orientations: Float32Array;
}

/** The library's statuses, by number. Only "ok" and "not_converged" come with an answer. */
export const statusNames = ["ok", "not_converged", "bad_index", "bad_pose", "unsupported", "no_room"] as const;
export type Status = (typeof statusNames)[number];

export interface Overlaps {
    /** Bit i % 32 of word i / 32 is pair i. */
    bits: Uint32Array;
    status: Uint8Array;
}

/** Columns in the order of the pairs. Points are relative to the position of the pair's body A; normals point from A to B. */
export interface Distances {
    /** Negative where the shapes overlap. */
    signedDistance: Float32Array;
    normal: Float32Array;
    pointA: Float32Array;
    pointB: Float32Array;
    status: Uint8Array;
    /** If they were asked for. */
    traces?: Trace[];
}

/** The manifolds of pair i are firstManifold[i] up to firstManifold[i + 1]; a manifold has up to four contacts, the deepest first. */
export interface Manifolds {
    firstManifold: Uint32Array;
    status: Uint8Array;
    /** Of each manifold: */
    pair: Uint32Array;
    childA: Uint32Array;
    childB: Uint32Array;
    normal: Float32Array;
    firstContact: Uint32Array;
    contactCount: Uint32Array;
    /** Of each contact: the midpoint between the two surfaces, relative to A's position. */
    position: Float32Array;
    separation: Float32Array;
    /** A's feature in the high half, B's in the low one: decodeFeature. */
    feature: Uint32Array;
    /** The triangle of a mesh or height field. */
    triangle: Uint32Array;
    /** Of each pair, if they were asked for. */
    traces?: Trace[];
}

export interface WorldOptions {
    /** Metres: collide reports contacts up to this far apart. Default 0.02. */
    margin?: number;
    /** Metres: depths that differ by less do not decide which contacts are reported. Default 0.005. */
    contactSlack?: number;
}

export interface QueryOptions {
    /** Whether the answer has the states of each pair, which costs some time. Default false. */
    traces?: boolean;
}

export interface CollideOptions extends QueryOptions {
    /** Metres, for each pair, instead of the world's margin. */
    margins?: Float32Array;
}

/** What a pair went through. A pair that is the only one of its call has the trace of `abut query --trace`. */
export interface Trace {
    /** In order; "direct", "search", ... In a call of many pairs a search may also end in "resume". */
    states: string[];
    /** Rounds of GJK and steps of a descent, of the group of pairs that were computed together. */
    iterations: number;
    /** The state that proved the answer; "done" if no state is recorded. */
    certifiedBy: string;
}

const manifoldWords = 8, contactWords = 5, traceBytes = 16;

/** Element `at` of each record of `words` words, `count` of them in a row. */
function column<T extends Uint32Array | Float32Array>(records: T, words: number, at: number, width: number, out: T): T {
    for (let i = 0, to = 0; to < out.length; i += words) for (let k = 0; k < width; ++k) out[to++] = records[i + at + k];
    return out;
}

export class World {
    private readonly world: number;

    constructor(private readonly module: Module, options: WorldOptions = {}) {
        this.world = module.functions.web_world_create(options.margin ?? 0.02, options.contactSlack ?? 0.005);
        if (this.world === 0) throw module.error();
    }

    /** Frees the memory. The world is not used afterwards. */
    destroy(): void {
        this.module.functions.web_world_destroy(this.world);
    }

    /** Checks and cooks a shape. Throws an Error that names the field where the shape is refused. */
    addShape(shape: Shape): number {
        const id = addShape(this.module, this.world, shape);
        if (id === noShape) throw this.module.error();
        return id;
    }

    removeShape(id: number): void {
        if (!this.module.functions.web_remove(this.world, id)) throw this.module.error();
    }

    /** Whether the shapes of each pair overlap. */
    overlap(bodies: Bodies, pairs: Uint32Array): Overlaps {
        const { module } = this, count = pairs.length / 2, words = Math.ceil(count / 32), scratch = new Scratch(module);
        try {
            const frame = this.frame(scratch, bodies, pairs), bits = scratch.room(4 * words), status = scratch.room(count);
            if (!module.functions.web_overlap(...frame, bits, status)) throw module.error();
            return { bits: module.words(bits, words).slice(), status: module.bytes(status, count).slice() };
        } finally {
            scratch.free();
        }
    }

    /** The signed distance, the normal and the nearest (or deepest) points of each pair. `pairs` holds two body indices for each. */
    distance(bodies: Bodies, pairs: Uint32Array, options: QueryOptions = {}): Distances {
        const { module } = this, count = pairs.length / 2, scratch = new Scratch(module);
        try {
            const frame = this.frame(scratch, bodies, pairs), traces = options.traces ? scratch.room(traceBytes * count) : 0;
            const out = [1, 3, 3, 3].map((width) => scratch.room(4 * width * count));
            const status = scratch.room(count);
            if (!module.functions.web_distance(...frame, traces, out[0], out[1], out[2], out[3], status)) throw module.error();
            return {
                signedDistance: module.floats(out[0], count).slice(),
                normal: module.floats(out[1], 3 * count).slice(),
                pointA: module.floats(out[2], 3 * count).slice(),
                pointB: module.floats(out[3], 3 * count).slice(),
                status: module.bytes(status, count).slice(),
                ...(traces !== 0 && { traces: this.readTraces(traces, count) }),
            };
        } finally {
            scratch.free();
        }
    }

    /** The contacts of each pair within its margin. */
    collide(bodies: Bodies, pairs: Uint32Array, options: CollideOptions = {}): Manifolds {
        const { module } = this, count = pairs.length / 2, scratch = new Scratch(module), own = options.margins;
        if (own && own.length !== count) throw new Error(`margins has ${own.length} numbers for ${count} pairs`);
        try {
            const frame = this.frame(scratch, bodies, pairs), traces = options.traces ? scratch.room(traceBytes * count) : 0;
            const pointer = module.functions.web_collide(...frame, own ? scratch.floats(own) : 0, traces);
            if (pointer === 0) throw module.error();
            // abut_manifold_columns of include/abut/c/results.h
            const [, first, , manifolds, , contacts, , status, , manifoldCount, contactCount, , , triangles] = module.words(pointer, 14);
            const m = module.words(manifolds, manifoldWords * manifoldCount), mf = module.floats(manifolds, manifoldWords * manifoldCount);
            const c = module.words(contacts, contactWords * contactCount), cf = module.floats(contacts, contactWords * contactCount);
            const ofManifold = (at: number) => column(m, manifoldWords, at, 1, new Uint32Array(manifoldCount));
            return {
                firstManifold: module.words(first, count + 1).slice(),
                status: module.bytes(status, count).slice(),
                pair: ofManifold(0), childA: ofManifold(1), childB: ofManifold(2), firstContact: ofManifold(6), contactCount: ofManifold(7),
                normal: column(mf, manifoldWords, 3, 3, new Float32Array(3 * manifoldCount)),
                position: column(cf, contactWords, 0, 3, new Float32Array(3 * contactCount)),
                separation: column(cf, contactWords, 3, 1, new Float32Array(contactCount)),
                feature: column(c, contactWords, 4, 1, new Uint32Array(contactCount)),
                triangle: triangles === 0 ? new Uint32Array(contactCount) : module.words(triangles, contactCount).slice(),
                ...(traces !== 0 && { traces: this.readTraces(traces, count) }),
            };
        } finally {
            scratch.free();
        }
    }

    /** abut_pair_trace of include/abut/c/frame.h, one per pair. */
    private readTraces(pointer: number, count: number): Trace[] {
        const { module } = this, bytes = module.bytes(pointer, traceBytes * count);
        return Array.from({ length: count }, (_, i): Trace => {
            const at = traceBytes * i, states = bytes.subarray(at + 3, at + 3 + bytes[at + 2]);
            return { states: Array.from(states, (state) => module.stateName(state)), iterations: bytes[at] + 256 * bytes[at + 1],
                     certifiedBy: module.stateName(module.functions.web_certified_by(pointer + at)) };
        });
    }

    private frame(scratch: Scratch, bodies: Bodies, pairs: Uint32Array): [number, number, number, number, number, number, number] {
        const count = bodies.shapes.length;
        if (bodies.positions.length !== 3 * count) throw new Error(`positions has ${bodies.positions.length} numbers for ${count} bodies`);
        if (bodies.orientations.length !== 4 * count) throw new Error(`orientations has ${bodies.orientations.length} numbers for ${count} bodies`);
        if (pairs.length % 2 !== 0) throw new Error(`pairs has ${pairs.length} indices, which is not even`);
        return [this.world, scratch.words(bodies.shapes), scratch.floats(bodies.positions), scratch.floats(bodies.orientations), count,
                scratch.words(pairs), pairs.length / 2];
    }
}
