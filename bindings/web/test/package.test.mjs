// The npm package: what it answers, what it refuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeFeature, load } from "../build/package/index.js";

const abut = await load();
const bodies = (shapes, positions) => ({
    shapes: Uint32Array.from(shapes), positions: Float32Array.from(positions.flat()), orientations: Float32Array.from(positions.flatMap(() => [0, 0, 0, 1])),
});

test("distance has the signed distance, the normal from A to B and both points relative to A", () => {
    const world = abut.createWorld(), ball = world.addShape({ shape: "sphere", radius: 0.5 });
    const d = world.distance(bodies([ball, ball], [[10, 0, 0], [12, 0, 0]]), Uint32Array.of(0, 1));
    assert.deepEqual([...d.signedDistance], [1]);
    assert.deepEqual([[...d.normal], [...d.pointA], [...d.pointB]], [[1, 0, 0], [0.5, 0, 0], [1.5, 0, 0]]);
    world.destroy();
});

test("overlap has a bit for each pair", () => {
    const world = abut.createWorld(), ball = world.addShape({ shape: "sphere", radius: 0.5 });
    const o = world.overlap(bodies([ball, ball, ball], [[0, 0, 0], [0.9, 0, 0], [3, 0, 0]]), Uint32Array.of(0, 1, 0, 2, 1, 0, 0, 9));
    assert.deepEqual([[...o.bits], [...o.status]], [[0b101], [0, 0, 0, 2]]);
    world.destroy();
});

test("collide has four contacts of a box on a box, and keeps to the margin", () => {
    const world = abut.createWorld({ margin: 0.1 }), box = world.addShape({ shape: "box", half_extents: [0.5, 0.5, 0.5] });
    const m = world.collide(bodies([box, box, box], [[0, 0, 0], [0, 1.05, 0], [3, 0, 0]]), Uint32Array.of(0, 1, 0, 2));
    assert.deepEqual([...m.firstManifold], [0, 1, 1]);
    assert.equal(m.contactCount[0], 4);
    assert.ok(m.separation.every((separation) => Math.abs(separation - 0.05) < 1e-5));
    assert.equal(decodeFeature(m.feature[0] >>> 16).type.length > 0, true);
    world.destroy();
});

test("every kind of shape is answered", () => {
    const world = abut.createWorld(), quat = [0, 0, 0, 1];
    const shapes = [
        { shape: "sphere", radius: 0.5 }, { shape: "capsule", radius: 0.3, half_height: 0.5 }, { shape: "box", half_extents: [0.5, 0.4, 0.3], rounding: 0.1 },
        { shape: "cylinder", radius: 0.5, half_height: 0.5 }, { shape: "cone", radius: 0.5, half_height: 0.5 }, { shape: "ellipsoid", radii: [0.5, 0.3, 0.4] },
        { shape: "hull", vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], scale: 0.5 }, { shape: "halfspace", normal: [0, 1, 0], offset: 0 },
        { shape: "compound", children: [{ shape: { shape: "sphere", radius: 0.5 }, pos: [0, 0, 0], quat }, { shape: { shape: "box", half_extents: [1, 1, 1] }, pos: [1, 0, 0], quat }] },
        { shape: "mesh", vertices: [[-3, 0, -3], [3, 0, -3], [0, 0, 3]], triangles: [[0, 2, 1]] },
        { shape: "heightfield", rows: 2, columns: 2, spacing: [1, 1], heights: [0, 0, 0, 0.1] },
    ].map((shape) => world.addShape(shape));
    const ball = shapes[0], pairs = Uint32Array.from(shapes.flatMap((_, i) => [0, i + 1]));
    const frame = bodies([ball, ...shapes], [[0.2, 1.4, 0.2], ...shapes.map(() => [0, 0, 0])]);
    const d = world.distance(frame, pairs);
    assert.ok(d.status.every((status) => status === 0));
    assert.ok(d.signedDistance.every((distance) => Number.isFinite(distance) && distance < 2));
    world.destroy();
});

test("a height field has holes and either diagonal", () => {
    const world = abut.createWorld(), field = { shape: "heightfield", rows: 2, columns: 3, spacing: [1, 1], heights: [0, 0, 0, 0, 1, 0] };
    // Over the middle of the first cell: on the diagonal that ends in the high sample, on the other one, and over a hole.
    const heights = [undefined, [2, 0], [1, 0]].map((cells) => {
        const shapes = [world.addShape({ shape: "sphere", radius: 0.1 }), world.addShape({ ...field, cells })];
        return world.distance(bodies(shapes, [[0.5, 1, 0.5], [0, 0, 0]]), Uint32Array.of(0, 1)).signedDistance[0];
    });
    assert.ok(heights[0] < heights[1] && heights[1] < heights[2]);
    assert.throws(() => world.addShape({ ...field, cells: [0, 7] }), /cells\[1\]/);
    world.destroy();
});

test("a shape that is refused throws with the library's words, and harms nothing", () => {
    const world = abut.createWorld();
    assert.throws(() => world.addShape({ shape: "sphere", radius: -1 }), /radius/);
    assert.throws(() => world.addShape({ shape: "hull", vertices: [] }), /point|vert/i);
    assert.throws(() => world.addShape({ shape: "blob" }), /blob/);
    assert.throws(() => abut.createWorld({ margin: -1 }), /margin/);
    assert.ok(world.addShape({ shape: "sphere", radius: 1 }) >= 0);
    world.destroy();
});

test("a bad pose has a status and changes no other pair", () => {
    const world = abut.createWorld(), ball = world.addShape({ shape: "sphere", radius: 0.5 });
    const frame = bodies([ball, ball, ball], [[0, 0, 0], [NaN, 0, 0], [0, 2, 0]]);
    const d = world.distance(frame, Uint32Array.of(0, 1, 0, 2, 0, 7));
    assert.deepEqual([...d.status], [3, 0, 2]);
    assert.equal(d.signedDistance[1], 1);
    assert.throws(() => world.distance(frame, Uint32Array.of(0)), /pairs/);
    world.destroy();
});

test("traces name the states of each pair and the one that certified its answer, if they are asked for", () => {
    const world = abut.createWorld(), ball = world.addShape({ shape: "sphere", radius: 0.5 }), hull = world.addShape({ shape: "hull", vertices: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] });
    const frame = bodies([ball, ball, hull, hull], [[0, 0, 0], [0, 0.9, 0], [3, 0, 0], [5, 0.2, 0.1]]), pairs = Uint32Array.of(0, 1, 2, 3, 0, 7);
    const { traces } = world.distance(frame, pairs, { traces: true }), ofContacts = world.collide(frame, pairs, { traces: true }).traces;
    assert.deepEqual([traces[0], ofContacts[0]], Array(2).fill({ states: ["direct"], iterations: 0, certifiedBy: "direct" }));
    assert.deepEqual([traces[1].states, traces[1].certifiedBy], [["search"], "search"]);
    assert.ok(traces[1].iterations > 0);
    assert.deepEqual([traces[2], ofContacts[2]], Array(2).fill({ states: [], iterations: 0, certifiedBy: "done" })); // its status is bad_index
    assert.equal(world.distance(frame, pairs).traces, undefined);
    assert.equal(world.collide(frame, pairs).traces, undefined);
    world.destroy();
});

test("memory grows: a hundred thousand pairs in one call", () => {
    const world = abut.createWorld(), box = world.addShape({ shape: "box", half_extents: [0.5, 0.5, 0.5] }), count = 100000;
    const frame = bodies(Array(1000).fill(box), [...Array(1000).keys()].map((i) => [0.9 * (i % 10), 0.9 * (Math.floor(i / 10) % 10), 0.9 * Math.floor(i / 100)]));
    const pairs = Uint32Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 7 * i : i) % 1000);
    assert.equal(world.collide(frame, pairs).status.length, count);
    world.destroy();
});
