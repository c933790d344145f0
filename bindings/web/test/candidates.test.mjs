// The recomputed candidates hold the contacts that the library keeps.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { candidatesOf } from "../build/test/scene/candidates.js";
import { answer, between, margin, random } from "./pairs.mjs";

test("candidates of resting boxes and prisms: the four kept are among them, and often there are more", () => {
    const prism = (corners) => ({ shape: "hull", vertices: Array.from({ length: 2 * corners }, (_, k) => [0.5 * Math.cos((2 * Math.PI * k) / corners), k < corners ? -0.3 : 0.3, 0.5 * Math.sin((2 * Math.PI * k) / corners)]) });
    const resting = [{ shape: "box", half_extents: [0.5, 0.3, 0.4] }, { shape: "box", half_extents: [0.4, 0.28, 0.5], rounding: 0.02 }, prism(5), prism(6)];
    const pairs = 400;
    let four = 0, known = 0, more = 0;
    for (let i = 0; i < pairs; ++i) {
        const [p, q] = [0, 1].map(() => resting[Math.floor(random() * resting.length)]);
        const a = { shape: p, position: new THREE.Vector3(), orientation: new THREE.Quaternion() };
        const b = { shape: q, position: new THREE.Vector3(between(-0.2, 0.2), between(0.59, 0.6), between(-0.2, 0.2)), orientation: new THREE.Quaternion().setFromAxisAngle(new THREE.Vector3(0, 1, 0), between(0, 3)) };
        const numbers = answer(a, b), candidates = candidatesOf(a, b, numbers, margin);
        if (numbers.contacts.length !== 4) continue;
        ++four;
        if (!candidates) continue;
        ++known;
        if (candidates.length > 4) ++more;
        assert.equal(candidates.filter(({ isKept }) => isKept).length, 4);
        const top = Math.fround(b.position.y) - 0.6;
        for (const { position, separation } of candidates) {
            assert.ok(Math.abs(separation - top) < 1e-5, `${separation} ${top}`);
            assert.ok(Math.abs(position[1] - (0.3 + 0.5 * top)) < 1e-5);
        }
    }
    assert.ok(four > 0.9 * pairs && known > 0.8 * four && more > 0.5 * known, `${four} with four contacts, ${known} known, ${more} with more`);
});

test("a half-space has the vertices of the box as candidates; other kinds have none", () => {
    const ground = { shape: { shape: "halfspace", normal: [0, 2, 0], offset: 0 }, position: new THREE.Vector3(), orientation: new THREE.Quaternion() };
    const body = (shape) => ({ shape, position: new THREE.Vector3(0, 0.49, 0), orientation: new THREE.Quaternion() });
    for (const [a, b] of [[ground, body({ shape: "box", half_extents: [0.5, 0.5, 0.5] })], [body({ shape: "box", half_extents: [0.5, 0.5, 0.5] }), ground]]) {
        const candidates = candidatesOf(a, b, answer(a, b), margin);
        assert.equal(candidates.length, 4);
        assert.ok(candidates.every(({ separation }) => Math.abs(separation + 0.01) < 1e-6));
    }
    const cylinder = body({ shape: "cylinder", radius: 0.5, half_height: 0.5 });
    assert.equal(candidatesOf(ground, cylinder, answer(ground, cylinder), margin), null);
});
