// The module in bindings/web/dist has the bits of the program: every frame of the gallery and of the pile, and every line of `abut query`.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Module } from "../build/test/abut/module.js";
import { answerLine, numbersOf, questionLine } from "../build/test/scene/numbers.js";
import { Answerer, sumsOf } from "../build/test/scene/scene.js";
import { abut, gallery, makePage, pile, root, sceneOf } from "./program.mjs";

const module = await Module.load(readFileSync(`${root}bindings/web/dist/abut.wasm.gz`));

for (const { name, file } of [...gallery, pile]) {
    test(`${name}: answers in the page are those of the program`, () => {
        const scene = sceneOf(makePage(file, name)), answerer = new Answerer(module, scene);
        assert.ok(scene.frames.length > 0);
        for (const frame of scene.frames) assert.deepEqual(sumsOf(answerer.answers(frame)), frame.sums, frame.label);
    });

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
