// The page of a robot: sliders move its joints, and its nearest bodies are shown.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openBrowser, openPage, whenReady } from "./browser.mjs";
import { baseFrame, frameOf, worldFrame } from "../build/test/scene/robot.js";
import { root, scratch } from "./program.mjs";

const still = [0, 0, 0, 0, 0, 0, 1], half = Math.SQRT1_2;
// An arm that turns about Z with a hand that slides out along X, mirrored by a second hand, on a base that is turned by 90 degrees; a ball to reach.
const robot = {
    values: [{ name: "shoulder", lower: -3, upper: 3, value: 0, unit: "rad" }, { name: "reach", lower: 0, upper: 0.5, value: 0, unit: "m" }],
    joints: [[1, baseFrame, 0, [0, 0, 1, 0, 0, 0, 1], [0, 0, 1], 1, 0], [2, 0, 1, [1, 0, 0, 0, 0, 0, 1], [1, 0, 0], 1, 0], [2, 0, 1, [-1, 0, 0, 0, 0, 0, 1], [1, 0, 0], -1, -0.1],
             [0, 1, 0, [0, 0, 0.5, 0, 0, 0, 1], [0, 0, 1], 1, 0]],
    base: [0, 0, 0, 0, 0, half, half],
    bodies: [{ name: "hand", shape: 0, joint: 1, pose: still }, { name: "other", shape: 0, joint: 2, pose: still }, { name: "ball", shape: 1, joint: worldFrame, pose: [0, 2, 1, 0, 0, 0, 1] },
             { name: "tip", shape: 1, joint: 3, pose: [0, 0, 0, half, 0, 0, half] }],
    pairs: [0, 2, 1, 2],
};
const scene = { title: "arm", version: "", margin: 0.02, shapes: [{ shape: "box", half_extents: [0.1, 0.1, 0.1] }, { shape: "sphere", radius: 0.2 }], robot };

const near = (numbers, expected) => expected.forEach((number, i) => assert.ok(Math.abs(numbers[i] - number) < 1e-6, `${numbers} is not ${expected}`));

test("values of joints give the poses of bodies", () => {
    const zero = frameOf(robot, [0, 0]), moved = frameOf(robot, [Math.PI / 2, 0.25]);
    near(zero.positions, [0, 1, 1, 0, -1.1, 1, 0, 2, 1, 0, 1, 1.5]);
    near(moved.positions, [-1.25, 0, 1, 1.35, 0, 1, 0, 2, 1, -1.25, 0, 1.5]);
    near(zero.orientations.subarray(0, 4), [0, 0, half, half]);
    near(moved.orientations.subarray(0, 4), [0, 0, 1, 0]);
    near(zero.orientations.subarray(12, 16), [0.5, 0.5, 0.5, 0.5]);
});

test("sliders move the robot of a page, which says what is nearest", async () => {
    const browser = await openBrowser(), file = join(scratch, "robot.html");
    after(() => browser.close());
    const json = Buffer.from(JSON.stringify(scene)), length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    const dist = (name) => readFileSync(`${root}bindings/web/dist/${name}`);
    writeFileSync(file, dist("viewer.html").toString().replace("@ABUT_MODULE@", () => dist("abut.wasm.gz").toString("base64")).replace("@ABUT_SCENE@", () => Buffer.concat([length, json]).toString("base64")));
    const { page, problems, asked } = await openPage(browser, file);
    await whenReady(page);
    assert.deepEqual([problems, asked], [[], []]);
    assert.equal(await page.textContent("#nearest"), "nearest: hand – ball, 0.7000 m");
    assert.deepEqual(await page.$$eval("#sliders label span", (names) => names.map((name) => name.textContent)), ["shoulder", "reach"]);
    await page.fill("input[aria-label=reach]", "0.5");
    assert.equal(await page.textContent("#nearest"), "nearest: hand – ball, 0.2000 m");
    await page.fill("input[aria-label=shoulder]", "3");
    assert.match(await page.textContent("#nearest"), /other – ball/);
    await page.click("#reset-joints");
    assert.equal(await page.textContent("#nearest"), "nearest: hand – ball, 0.7000 m");
    assert.deepEqual(problems, []);
    await page.close();
});
