// Numbers and lines as `abut query` reads and writes them.
import type { Quat, Shape, Vec3 } from "../abut/shapes.js";
import { statusNames } from "../abut/world.js";
import type { Answers, Frame } from "./scene.js";

/** With the sign of a negative zero, which String loses. */
export const doubleText = (value: number): string => (Object.is(value, -0) ? "-0.0" : String(value));

/** The shortest decimal that reads back as the same 32-bit float. */
export function floatText(value: number): string {
    if (!Number.isFinite(value) || value === 0) return doubleText(value);
    for (let digits = 1; digits < 9; ++digits) {
        const text = Number(value.toPrecision(digits));
        if (Math.fround(text) === value) return String(text);
    }
    return String(Number(value.toPrecision(9)));
}

export const vectorText = (values: ArrayLike<number>, text = floatText): string => `[${Array.from(values, text).join(", ")}]`;

const triple = (column: ArrayLike<number>, i: number): Vec3 => [column[3 * i], column[3 * i + 1], column[3 * i + 2]];
const quadruple = (column: ArrayLike<number>, i: number): Quat => [column[4 * i], column[4 * i + 1], column[4 * i + 2], column[4 * i + 3]];

/** One contact of a pair; the position is in world space, in double. */
export interface ContactNumbers {
    position: Vec3;
    separation: number;
    feature: number;
    normal: Vec3;
    childA: number;
    childB: number;
    triangle: number;
}

/** The answer for one pair, points in world space. */
export interface PairNumbers {
    a: number;
    b: number;
    status: string;
    hasAnswer: boolean;
    signedDistance: number;
    normal: Vec3;
    pointA: Vec3;
    pointB: Vec3;
    contacts: ContactNumbers[];
}

export function numbersOf(frame: Frame, answers: Omit<Answers, "overlaps">, pair: number): PairNumbers {
    const { distances: d, manifolds: m } = answers;
    const a = frame.pairs[2 * pair], b = frame.pairs[2 * pair + 1];
    const origin = triple(frame.positions, a);
    const world = (column: ArrayLike<number>, i: number): Vec3 => [origin[0] + column[3 * i], origin[1] + column[3 * i + 1], origin[2] + column[3 * i + 2]];
    const contacts: ContactNumbers[] = [];
    for (let i = m.firstManifold[pair]; i < m.firstManifold[pair + 1]; ++i) {
        for (let c = m.firstContact[i]; c < m.firstContact[i] + m.contactCount[i]; ++c) {
            contacts.push({ position: world(m.position, c), separation: m.separation[c], feature: m.feature[c], normal: triple(m.normal, i),
                            childA: m.childA[i], childB: m.childB[i], triangle: m.triangle[c] });
        }
    }
    const status = statusNames[d.status[pair] === 0 ? m.status[pair] : d.status[pair]];
    return { a, b, status, hasAnswer: status === "ok" || status === "not_converged", signedDistance: d.signedDistance[pair],
             normal: triple(d.normal, pair), pointA: world(d.pointA, pair), pointB: world(d.pointB, pair), contacts };
}

/** The question as `abut query` takes it, so that a pair can be pasted into a report. */
export function questionLine(id: unknown, frame: Frame, shapes: Shape[], a: number, b: number): string {
    const pose = (body: number) => [vectorText(triple(frame.positions, body)), vectorText(quadruple(frame.orientations, body))];
    const [aPos, aQuat] = pose(a), [bPos, bQuat] = pose(b);
    const shape = (body: number) => JSON.stringify(shapes[frame.shapes[body]]);
    return `{"id": ${JSON.stringify(id)}, "a": ${shape(a)}, "a_pos": ${aPos}, "a_quat": ${aQuat}, ` +
           `"b": ${shape(b)}, "b_pos": ${bPos}, "b_quat": ${bQuat}}`;
}

function contactText(contact: ContactNumbers, hasChildren: boolean, triangles: [boolean, boolean]): string {
    const children = hasChildren ? `, "child_a": ${triangles[0] ? 0 : contact.childA}, "child_b": ${triangles[1] ? 0 : contact.childB}` : "";
    const triangle = triangles[0] || triangles[1] ? `, "triangle": ${contact.triangle}` : "";
    return `{"position": ${vectorText(contact.position, doubleText)}, "separation": ${floatText(contact.separation)}, "feature": ${contact.feature}, ` +
           `"normal": ${vectorText(contact.normal)}${children}${triangle}}`;
}

/** The answer as `abut query` prints it. */
export function answerLine(id: unknown, numbers: PairNumbers, kinds: [string, string]): string {
    const head = `{"id": ${JSON.stringify(id)}, "status": "${numbers.status}"`;
    if (!numbers.hasAnswer) return head + "}";
    const isSurface = (kind: string) => kind === "mesh" || kind === "heightfield";
    const triangles: [boolean, boolean] = [isSurface(kinds[0]), isSurface(kinds[1])];
    const contacts = numbers.contacts.map((contact) => contactText(contact, kinds.includes("compound"), triangles));
    const distance = numbers.signedDistance;
    if (!Number.isFinite(distance)) return `${head}, "intersects": false, "contacts": [${contacts.join(", ")}]}`; // no triangle takes part
    return `${head}, "intersects": ${distance <= 0}, "signed_distance": ${floatText(distance)}, "normal": ${vectorText(numbers.normal)}, ` +
           `"point_a": ${vectorText(numbers.pointA, doubleText)}, "point_b": ${vectorText(numbers.pointB, doubleText)}, "contacts": [${contacts.join(", ")}]}`;
}
