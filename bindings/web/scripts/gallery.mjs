// Small captures for tests and pictures, as JSON lines for `abut pack` and `abut view`: node scripts/gallery.mjs. The same numbers on every machine.
import { writeFile } from "node:fs/promises";

const up = [0, 0, 0, 1];
const round = (x) => Math.round(x * 1e5) / 1e5;
const about = (axis, angle) => [...axis.map((x) => round(x * Math.sin(angle / 2))), round(Math.cos(angle / 2))];

// Numbers between 0 and 1, by a linear congruential generator.
function random(seed) {
    let state = seed;
    return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

class Capture {
    shapes = [];
    bodies = [];
    frames = [];
    shape(shape) { return this.shapes.push(shape) - 1; }
    add(shape, position, orientation = up) { return this.bodies.push([shape, ...position.map(round), ...orientation]) - 1; }
    // All pairs whose balls of `reach` metres meet; `fixed` bodies meet everything but each other.
    frame(label, reach, fixed = 1) {
        const pairs = [];
        for (let a = 0; a < this.bodies.length; ++a) {
            for (let b = Math.max(a + 1, fixed); b < this.bodies.length; ++b) {
                const [p, q] = [this.bodies[a].slice(1, 4), this.bodies[b].slice(1, 4)];
                if (a < fixed || Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) < reach) pairs.push([a, b]);
            }
        }
        this.frames.push({ label, bodies: this.bodies.map((body) => [...body]), pairs });
    }
    lines() { return [{ shapes: this.shapes }, ...this.frames].map((line) => JSON.stringify(line)).join("\n") + "\n"; }
}

const halfspace = { shape: "halfspace", normal: [0, 1, 0], offset: 0 };

// Pairs of cards lean on each other, three storeys.
function cardHouse() {
    const capture = new Capture(), lean = 0.52, half = 0.44, thick = 0.008;
    capture.add(capture.shape(halfspace), [0, 0, 0]);
    const card = capture.shape({ shape: "box", half_extents: [thick, half, 0.32] });
    const rise = half * Math.cos(lean) + thick * Math.sin(lean), reach = half * Math.sin(lean) + thick * Math.cos(lean);
    for (let storey = 0; storey < 3; ++storey) {
        const y = storey * (2 * rise + 2 * thick);
        for (let i = 0; i < 3 - storey; ++i) {
            const x = (i - (2 - storey) / 2) * 4 * reach;
            capture.add(card, [x - reach, y + rise, 0], about([0, 0, 1], -lean));
            capture.add(card, [x + reach, y + rise, 0], about([0, 0, 1], lean));
        }
        for (let i = 0; i + 1 < 3 - storey; ++i) {
            capture.add(card, [(i - (1 - storey) / 2) * 4 * reach, y + 2 * rise + thick, 0], about([0, 0, 1], Math.PI / 2));
        }
    }
    capture.frame("standing", 1.1);
    return capture;
}

// Wedges of one thickness; each touches the next along a face.
function arch() {
    const capture = new Capture(), stones = 11, inner = 1.6, outer = 2.1, depth = 0.35;
    capture.add(capture.shape(halfspace), [0, 0, 0]);
    for (let i = 0; i < stones; ++i) {
        const middle = (Math.PI * (i + 0.5)) / stones, half = Math.PI / stones / 2 + 0.0005, center = (inner + outer) / 2;
        const corner = (radius, angle, z) => [round(radius * Math.cos(middle + angle) - center * Math.cos(middle)), round(radius * Math.sin(middle + angle) - center * Math.sin(middle)), z];
        const vertices = [inner, outer].flatMap((radius) => [-half, half].flatMap((angle) => [-depth, depth].map((z) => corner(radius, angle, z))));
        capture.add(capture.shape({ shape: "hull", vertices }), [center * Math.cos(middle), center * Math.sin(middle), 0]);
    }
    capture.frame("standing", 1.2);
    return capture;
}

// Bodies of every convex kind, and a compound, fall onto a height field.
function terrain() {
    const capture = new Capture(), next = random(7), size = 21, spacing = 0.5;
    const height = (x, z) => 0.35 * Math.sin(1.1 * x) * Math.cos(0.9 * z) + 0.12 * Math.sin(2.7 * x + z);
    const heights = [...Array(size * size).keys()].map((i) => round(height((i % size) * spacing, Math.floor(i / size) * spacing)));
    capture.add(capture.shape({ shape: "heightfield", rows: size, columns: size, spacing: [spacing, spacing], heights }), [0, 0, 0]);
    const kinds = [
        { shape: "sphere", radius: 0.22 }, { shape: "capsule", radius: 0.15, half_height: 0.22 }, { shape: "box", half_extents: [0.2, 0.16, 0.26] },
        { shape: "box", half_extents: [0.16, 0.12, 0.2], rounding: 0.06 }, { shape: "cylinder", radius: 0.2, half_height: 0.2 },
        { shape: "cone", radius: 0.24, half_height: 0.24 }, { shape: "ellipsoid", radii: [0.3, 0.17, 0.2] },
        { shape: "hull", vertices: [[0.25, 0, 0], [-0.25, 0, 0.05], [0, 0.25, 0], [0, -0.2, 0], [0, 0, 0.28], [0.05, 0, -0.25]] },
        { shape: "compound", children: [{ shape: { shape: "capsule", radius: 0.07, half_height: 0.25 }, pos: [0, 0, 0], quat: up },
                                        { shape: { shape: "sphere", radius: 0.16 }, pos: [0, 0.28, 0], quat: up }, { shape: { shape: "sphere", radius: 0.16 }, pos: [0, -0.28, 0], quat: up }] },
    ].map((shape) => capture.shape(shape));
    const resting = [];
    for (let i = 0; i < 60; ++i) {
        const x = 0.8 + 8.4 * next(), z = 0.8 + 8.4 * next(), angle = 6.28 * next(), axis = [next() - 0.5, next() - 0.5, next() - 0.5], length = Math.hypot(...axis);
        capture.add(kinds[i % kinds.length], [x, 0, z], about(axis.map((a) => a / length), angle));
        resting.push(height(x, z) + 0.17);
    }
    for (let step = 0; step < 6; ++step) {
        resting.forEach((y, i) => { capture.bodies[i + 1][2] = round(y + 0.25 * (5 - step) * (5 - step) * 0.12); });
        capture.frame(`step ${step}`, 0.8);
    }
    return capture;
}

// A robot's arm of capsules reaches into a shelf: distances between the links and the boards.
function arm() {
    const capture = new Capture(), links = [0.5, 0.45, 0.35, 0.2];
    const board = capture.shape({ shape: "box", half_extents: [0.3, 0.02, 0.5] }), post = capture.shape({ shape: "box", half_extents: [0.3, 0.75, 0.02] });
    for (const y of [0.2, 0.7, 1.2]) capture.add(board, [1.3, y, 0]);
    for (const z of [-0.52, 0.52]) capture.add(post, [1.3, 0.75, z]);
    const fixed = capture.bodies.length;
    const shapes = links.map((length, i) => capture.shape({ shape: "capsule", radius: 0.09 - 0.015 * i, half_height: length / 2 }));
    const base = capture.shape({ shape: "cylinder", radius: 0.2, half_height: 0.1 });
    for (let step = 0; step < 8; ++step) {
        capture.bodies.length = fixed;
        capture.add(base, [0, 0.1, 0]);
        const t = step / 7, angles = [0.15 + 0.25 * t, 0.9 + 0.25 * t, 1.75 - 0.15 * t, 1.62 - 0.1 * t];
        let [x, y] = [0, 0.2];
        links.forEach((length, i) => {
            const [dx, dy] = [Math.sin(angles[i]) * length, Math.cos(angles[i]) * length];
            capture.add(shapes[i], [x + dx / 2, y + dy / 2, 0.1 * t], about([0, 0, 1], -angles[i]));
            [x, y] = [x + dx, y + dy];
        });
        capture.frame(`step ${step}`, 0, fixed);
    }
    return capture;
}

for (const [name, capture] of Object.entries({ "card-house": cardHouse(), arch: arch(), terrain: terrain(), arm: arm() })) {
    await writeFile(new URL(`../gallery/${name}.jsonl`, import.meta.url), capture.lines());
}
