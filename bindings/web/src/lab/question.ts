// The pair as a question of `abut query`: in the text box, and in the page's address with the settings of the library.
import * as THREE from "three";
import type { Quat, Shape, Vec3 } from "../abut/shapes.js";
import { questionLine } from "../scene/numbers.js";
import type { Frame } from "../scene/scene.js";
import type { Posed } from "./support.js";

/** A frame of two bodies and their pair. */
export function frameOf([a, b]: [Posed, Posed]): Frame {
    return {
        label: "", shapes: Uint32Array.of(0, 1), pairs: Uint32Array.of(0, 1),
        positions: Float32Array.from([...a.position.toArray(), ...b.position.toArray()]),
        orientations: Float32Array.from([...a.orientation.toArray(), ...b.orientation.toArray()]),
        margins: new Float32Array(),
    };
}

export const lineOf = (pair: [Posed, Posed]): string => questionLine("lab", frameOf(pair), pair.map(({ shape }) => shape), 0, 1);

/** Metres. */
export interface LabSettings {
    margin: number;
    slack: number;
}

/** The part of an address after its #. */
export const addressOf = (pair: [Posed, Posed], { margin, slack }: LabSettings): string => `${encodeURIComponent(lineOf(pair))}&margin=${margin}&slack=${slack}`;

/** The line of such a part, and the settings that it has. */
export function readAddress(address: string): [string, Partial<LabSettings>] {
    const [line, ...rest] = address.split("&"), given = new URLSearchParams(rest.join("&")), settings: Partial<LabSettings> = {};
    for (const name of ["margin", "slack"] as const) {
        const value = Number(given.get(name) || NaN);
        if (value >= 0 && value < Infinity) settings[name] = value;
    }
    return [decodeURIComponent(line), settings];
}

function posed(shape: Shape, position: Vec3, orientation: Quat): Posed {
    if (![...position, ...orientation].every((number) => Number.isFinite(number))) throw new Error("a number of a pose is missing");
    // As it is, so that a link asks the same question to the bit.
    return { shape, position: new THREE.Vector3(...position), orientation: new THREE.Quaternion(...orientation) };
}

/** Throws an Error if the text is no question. */
export function pairOf(line: string): [Posed, Posed] {
    const q = JSON.parse(line);
    return [posed(q.a, q.a_pos, q.a_quat), posed(q.b, q.b_pos, q.b_quat)];
}
