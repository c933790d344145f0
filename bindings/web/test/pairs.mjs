// Random pairs, and the library's answers to them, for tests without a browser.
import { readFileSync } from "node:fs";
import * as THREE from "three";
import { Module } from "../build/test/abut/module.js";
import { World } from "../build/test/abut/world.js";
import { numbersOf } from "../build/test/scene/numbers.js";

const module = await Module.load(readFileSync(new URL("../dist/abut.wasm.gz", import.meta.url)));
export const margin = 0.02;
const world = new World(module, { margin });

// Numbers between 0 and 1, by a linear congruential generator.
let state = 11;
export const random = () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
export const between = (low, high) => low + (high - low) * random();
export const orientation = () => new THREE.Quaternion(between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)).normalize();

/** Of the pair of two posed shapes. */
export function answer(a, b) {
    const ids = [a, b].map(({ shape }) => world.addShape(shape));
    const frame = { label: "", hash: 0, shapes: Uint32Array.of(0, 1), pairs: Uint32Array.of(0, 1), positions: Float32Array.from([a, b].flatMap(({ position }) => position.toArray())),
                    orientations: Float32Array.from([a, b].flatMap((each) => each.orientation.toArray())) };
    const bodies = { ...frame, shapes: Uint32Array.from(ids) };
    const numbers = numbersOf(frame, { distances: world.distance(bodies, frame.pairs), manifolds: world.collide(bodies, frame.pairs) }, 0);
    ids.forEach((id) => world.removeShape(id));
    return numbers;
}
