// The module in bindings/web/dist has the bits of the program: every frame of the gallery and of the pile, shapes with poses and solids, and every line of `abut query`.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Module } from "../build/test/abut/module.js";
import { Checksum, sumText } from "../build/test/scene/checksum.js";
import { answerLine, numbersOf, questionLine } from "../build/test/scene/numbers.js";
import { Answerer, sumsOf } from "../build/test/scene/scene.js";
import { abut, gallery, makePage, pile, root, sceneOf, scratch } from "./program.mjs";

const quat = [0.1, 0.2, 0.3, 0.9273618495495703], tetrahedron = [[-2, -1, -1], [2, -1, -1], [0, -1, 2], [0, 2, 0]];
const posed = {
    name: "posed", file: join(scratch, "posed.jsonl"), questions: [
        [{ shape: "hull", vertices: tetrahedron, pos: [0.5, 0, 0], quat }, { shape: "halfspace", normal: [0, 1, 0], offset: 0, pos: [0, -0.4, 0], quat }],
        [{ shape: "capsule", radius: 0.5, half_height: 1, pos: [0, 1, 0] }, { shape: "compound", children: [{ shape: { shape: "box", half_extents: [1, 1, 1], pos: [2, 0, 0], quat }, pos: [0, -1, 0], quat }] }],
        [{ shape: "sphere", radius: 0.2 }, { shape: "mesh", vertices: tetrahedron, triangles: [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]], solid: true, pos: [0.1, 0.3, 0] }],
        [{ shape: "sphere", radius: 0.2 }, { shape: "heightfield", rows: 2, columns: 2, spacing: [4, 4], heights: [1, 1, 1, 1.5], thickness: "Infinity", pos: [-2, 0, -2] }],
        [{ shape: "sphere", radius: 0.2 }, { shape: "heightfield", rows: 2, columns: 2, spacing: [4, 4], heights: [1, 1, 1, 1.5], thickness: 2, pos: [-2, 0, -2] }],
    ],
};
writeFileSync(posed.file, posed.questions.map(([a, b], id) => JSON.stringify({ id, a, a_pos: [0, 0.25, 0], a_quat: [0, 0, 0, 1], b, b_pos: [0, 0, 0], b_quat: [0, 0, 0, 1] }) + "\n").join(""));

// Margins of its own: of the last frame of the pile, from 0 to 6 mm.
const ownMargins = { name: "margins", file: join(scratch, "margins.abut") }, marginLines = join(scratch, "margins.jsonl");
const [shapesLine, ...frameLines] = abut(["dump", pile.file]).trim().split("\n"), lastFrame = JSON.parse(frameLines.at(-1));
lastFrame.margins = lastFrame.pairs.map((_, i) => Math.fround(0.001 * (i % 7)));
writeFileSync(marginLines, [shapesLine, frameLines[0], JSON.stringify(lastFrame), JSON.stringify(lastFrame)].join("\n") + "\n");
abut(["pack", marginLines, ownMargins.file]);

const module = await Module.load(readFileSync(`${root}bindings/web/dist/abut.wasm.gz`));

for (const { name, file } of [...gallery, pile, posed, ownMargins]) {
    test(`${name}: answers in the page are those of the program`, () => {
        const scene = sceneOf(makePage(file, name)), answerer = new Answerer(module, scene);
        assert.ok(scene.frames.length > 0);
        for (const frame of scene.frames) assert.deepEqual(sumsOf(answerer.answers(frame)), frame.sums, frame.label);
    });

    if (file === ownMargins.file) continue; // a question has no margin of its own
    test(`${name}: a pair's lines are the question and the answer of abut query`, () => {
        const scene = sceneOf(makePage(file, name)), answerer = new Answerer(module, scene), frame = scene.frames.at(-1);
        const step = Math.max(1, Math.floor(frame.pairs.length / 2 / 200)), questions = [], answers = [];
        for (let pair = 0; pair < frame.pairs.length / 2; pair += step) {
            const [a, b] = [frame.pairs[2 * pair], frame.pairs[2 * pair + 1]], kind = (body) => scene.shapes[frame.shapes[body]].shape;
            questions.push(questionLine(`${a}-${b}`, frame, scene.shapes, a, b));
            answers.push(answerLine(`${a}-${b}`, numbersOf(frame, answerer.answers(frame), pair), [kind(a), kind(b)]));
        }
        const lines = abut(["query"], questions.join("\n") + "\n").trim().split("\n");
        assert.equal(lines.length, answers.length);
        lines.forEach((line, i) => assert.deepEqual(JSON.parse(answers[i]), JSON.parse(line)));
    });
}

test("a capture's own margins hold in the page as in abut replay, unless --margin is given", () => {
    const { frames } = sceneOf(makePage(ownMargins.file, "own")), all = new Checksum();
    assert.deepEqual([...frames.at(-1).margins], lastFrame.margins);
    for (const { sums } of frames) all.addLong(BigInt(`0x${sums[2]}`));
    assert.equal(sumText(all.value), abut(["replay", ownMargins.file, "--checksum", "--query", "collide"]).trim());
    const [first, ...others] = sceneOf(makePage(ownMargins.file, "given", ["--margin", "0.02"])).frames;
    assert.equal(first.sums[2], frames[0].sums[2]);
    for (const [i, { margins, sums }] of others.entries()) assert.ok(margins.length === 0 && sums[2] !== frames[i + 1].sums[2]);
});
