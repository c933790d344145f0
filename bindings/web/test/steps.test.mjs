// The teaching versions of GJK, EPA and MPR in the lab agree with the library on random pairs.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as THREE from "three";
import { steps } from "../build/test/lab/gjk.js";
import { portalSteps } from "../build/test/lab/mpr.js";
import { differenceSupport } from "../build/test/lab/support.js";
import { answer, between, orientation, random } from "./pairs.mjs";

const shapes = [
    { shape: "sphere", radius: 0.5 }, { shape: "capsule", radius: 0.2, half_height: 0.5 }, { shape: "box", half_extents: [0.5, 0.3, 0.4] }, { shape: "box", half_extents: [0.2, 0.3, 0.4], rounding: 0.1 },
    { shape: "cylinder", radius: 0.4, half_height: 0.4 }, { shape: "cone", radius: 0.5, half_height: 0.4 }, { shape: "ellipsoid", radii: [0.3, 0.5, 0.4] },
    // Far from its own origin.
    { shape: "hull", vertices: [[1, 0, 0], [1.6, 0.1, 0], [1.2, 0.7, 0.1], [1.1, 0.2, 0.6], [1.4, -0.4, 0.2]] },
];

function randomPair() {
    const [a, b] = [0, 1].map(() => ({ shape: shapes[Math.floor(random() * shapes.length)], position: new THREE.Vector3(), orientation: orientation() }));
    // Between the middles of the shapes, wherever their origins are.
    const middle = differenceSupport(a, b, new THREE.Vector3(1, 0, 0)).add(differenceSupport(a, b, new THREE.Vector3(-1, 0, 0))).multiplyScalar(0.5);
    b.position.set(between(-0.8, 0.8), between(-0.8, 0.8), between(-0.8, 0.8)).sub(middle);
    return [a, b].map((each) => ({ ...each, position: new THREE.Vector3(...each.position.toArray().map(Math.fround)) }));
}

test("GJK's last step has the library's distance, EPA's its depth, and MPR finds the same pairs apart", () => {
    const pairs = 400;
    let apart = 0, greater = 0;
    for (let i = 0; i < pairs; ++i) {
        const [a, b] = randomPair(), { signedDistance } = answer(a, b);
        const support = (direction) => differenceSupport(a, b, direction), last = steps(support).at(-1), portal = portalSteps(support).at(-1);
        if (Math.abs(signedDistance) < 1e-3) continue;
        const name = `${a.shape.shape} ${b.shape.shape} ${signedDistance}`;
        if (signedDistance > 0) {
            ++apart;
            assert.equal(last.kind, "gjk", name);
            assert.ok(Math.abs(last.nearest.length() - signedDistance) < 2e-3, `${name}: ${last.nearest.length()}`);
            assert.match(portal.text, /are apart/, name);
        } else {
            assert.equal(last.kind, "epa", name);
            assert.ok(Math.abs(last.nearest.length() + signedDistance) < 5e-3, `${name}: ${last.nearest.length()}`);
            assert.match(portal.text, /depth along its normal|overlap/, name);
            if (!portal.nearest) continue;
            assert.ok(portal.nearest.length() > -signedDistance - 1e-3, `${name}: MPR ${portal.nearest.length()}`);
            if (portal.nearest.length() > -1.05 * signedDistance) ++greater;
        }
    }
    assert.ok(apart > 0.2 * pairs && apart < 0.8 * pairs, `${apart} of ${pairs} pairs are apart`);
    assert.ok(greater > 10, `MPR's depth is greater than the least in ${greater} pairs`); // what the lab says of it
});
