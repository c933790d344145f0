// The frames of a page as bytes: tools/abut/view_frames.hpp writes them, and says what they are made of.

/** What a frame has from its bytes; scene.ts has the rest. */
export interface FrameColumns {
    shapes: Uint32Array;
    positions: Float32Array;
    orientations: Float32Array;
    pairs: Uint32Array;
    /** Of contacts, one per pair; empty: the scene's margin. */
    margins: Float32Array;
}

export class FrameReader {
    private previous: FrameColumns = { shapes: new Uint32Array(), positions: new Float32Array(), orientations: new Float32Array(), pairs: new Uint32Array(),
                                       margins: new Float32Array() };

    constructor(private readonly bytes: Uint8Array, private at: number) {}

    frame(bodies: number, pairs: number): FrameColumns {
        const shapes = this.shapes(bodies);
        this.previous = { shapes, pairs: this.pairs(2 * pairs), positions: this.floats(3 * bodies, this.previous.positions),
                          orientations: this.floats(4 * bodies, this.previous.orientations), margins: this.floats(this.varint() * pairs, this.previous.margins) };
        return this.previous;
    }

    private varint(): number {
        let value = 0, shift = 0, byte;
        do {
            byte = this.bytes[this.at++];
            value |= (byte & 127) << shift;
            shift += 7;
        } while (byte & 128);
        return value >>> 0;
    }
    private difference(): number {
        const zigzag = this.varint();
        return (zigzag >>> 1) ^ -(zigzag & 1);
    }
    private shapes(bodies: number): Uint32Array {
        return this.varint() === 1 ? this.previous.shapes : Uint32Array.from({ length: bodies }, () => this.varint());
    }
    private pairs(length: number): Uint32Array {
        const out = new Uint32Array(length);
        for (let at = 0, from = 0; at < length;) {
            const copied = 2 * this.varint();
            if (copied > 0) {
                from += 2 * this.difference();
                out.set(this.previous.pairs.subarray(from, from + copied), at);
                [from, at] = [from + copied, at + copied];
            }
            for (const end = at + 2 * this.varint(); at < end; ++at) out[at] = (at < 2 ? 0 : out[at - 2]) + this.difference();
        }
        return out;
    }
    private floats(length: number, previous: Float32Array): Float32Array {
        if (length !== previous.length) {
            const plain = new Float32Array(this.bytes.slice(this.at, this.at + 4 * length).buffer);
            this.at += 4 * length;
            return plain;
        }
        const words = new Uint32Array(length), before = new Uint32Array(previous.buffer, previous.byteOffset, length);
        for (let i = 0; i < length; ++i) words[i] = before[i] + this.difference();
        return new Float32Array(words.buffer);
    }
}
