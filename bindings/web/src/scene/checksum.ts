// The checksum of docs/formats.md, which `abut replay --checksum` prints, from the answers of the module.
import type { Distances, Manifolds, Overlaps } from "../abut/world.js";

const multiplier = 0x9e3779b97f4a7c15n;

export class Checksum {
    private state = 0xcbf29ce484222325n;

    add(word: number): void {
        this.state = BigInt.asUintN(64, (this.state ^ BigInt(word)) * multiplier);
        this.state ^= this.state >> 32n;
    }
    addLong(value: bigint): void {
        this.add(Number(value & 0xffffffffn));
        this.add(Number(value >> 32n));
    }
    addColumn(column: Float32Array | Uint32Array | Uint8Array): void {
        this.addLong(BigInt(column.byteLength));
        const padded = new Uint8Array(4 * Math.ceil(column.byteLength / 4));
        padded.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
        for (const word of new Uint32Array(padded.buffer)) this.add(word);
    }
    get value(): bigint {
        return this.state;
    }
}

export const sumText = (sum: bigint): string => sum.toString(16).padStart(16, "0");

function sumOf(...columns: (Float32Array | Uint32Array | Uint8Array)[]): bigint {
    const sum = new Checksum();
    for (const column of columns) sum.addColumn(column);
    return sum.value;
}

/** Columns as records, word by word; the number beside a column is the words that a record has of it. */
function records(count: number, ...columns: [Float32Array | Uint32Array, number][]): Uint32Array {
    const stride = columns.reduce((sum, [, width]) => sum + width, 0), out = new Uint32Array(stride * count);
    let at = 0;
    for (const [column, width] of columns) {
        const words = new Uint32Array(column.buffer, column.byteOffset, column.length);
        for (let i = 0; i < words.length; ++i) out[stride * Math.floor(i / width) + at + (i % width)] = words[i];
        at += width;
    }
    return out;
}

export const sumOfOverlaps = (o: Overlaps): bigint => sumOf(o.bits, o.status);

export const sumOfDistances = (d: Distances): bigint => sumOf(d.signedDistance, d.normal, d.pointA, d.pointB, d.status);

export function sumOfManifolds(m: Manifolds): bigint {
    const manifolds = records(m.pair.length, [m.pair, 1], [m.childA, 1], [m.childB, 1], [m.normal, 3], [m.firstContact, 1], [m.contactCount, 1]);
    const contacts = records(m.separation.length, [m.position, 3], [m.separation, 1], [m.feature, 1]);
    return sumOf(m.firstManifold, manifolds, contacts, m.status);
}
