// The page of `abut view --2d` in a browser, and its shapes beside the library's.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openBrowser, openPage, whenReady } from "./browser.mjs";
import { partsOf, placed, plus, supportIndex } from "../build/test/plane/shapes.js";
import { abut, scratch } from "./program.mjs";

const browser = await openBrowser();
after(() => browser.close());

const ground = { shape: "chain", vertices: [[3, 0], [0, 1], [-3, 0]], loop: false }, ball = { shape: "circle", radius: 0.5 };
const question = (id, a, a_pos, a_angle, b, more = {}) => JSON.stringify({ id, a, a_pos, a_angle, b, b_pos: [0, 0], b_angle: 0, ...more });

function makePlanePage(lines, name, ...more) {
    const [file, page] = [join(scratch, `${name}.jsonl`), join(scratch, `${name}.html`)];
    writeFileSync(file, lines.map((line) => line + "\n").join(""));
    abut(["view", "--2d", file, "-o", page, ...more]);
    return page;
}

const shapes = [
    ball,
    { shape: "circle", radius: 0.5, scale: -2, rounding: 0.25, pos: [1, 2], angle: 1 },
    { shape: "capsule", radius: 0.25, half_height: 1, angle: 0.5 },
    { shape: "box", half_extents: [1, 0.5], scale: [2, -0.5], rounding: 0.1, pos: [-1, 0], angle: 2 },
    { shape: "polygon", vertices: [[0, 0], [2, 0], [1, 0.5], [0.5, 0.25], [0, 1]], scale: [-1, 1.5], rounding: 0.2 },
    { shape: "polygon", vertices: [[1, 1]], rounding: 0.5 },
    { shape: "halfplane", normal: [1, 2], offset: 1, rounding: 0.25, angle: 0.3 },
    { shape: "compound", children: [{ shape: ball, pos: [2, 0], angle: 0 }, { shape: { shape: "box", half_extents: [1, 0.5], rounding: 0.1 }, pos: [0, 1], angle: 1 }], scale: 0.5, rounding: 0.1, pos: [0, 3] },
];

test("points on the drawn shapes are on the library's surfaces", () => {
    const lines = [];
    for (const b of shapes) {
        for (const part of partsOf(b).map((each) => placed(each, [0.5, -1], 0.7))) {
            for (let k = 0; k < 12; ++k) {
                const along = part.kind === "halfplane" ? part.normal : [Math.cos(k), Math.sin(k)];
                const point = plus(part.corners[part.kind === "halfplane" ? 0 : supportIndex(part.corners, along)], along, part.radius);
                lines.push(JSON.stringify({ id: lines.length, point, b, b_pos: [0.5, -1], b_angle: 0.7 }));
            }
        }
    }
    const answers = abut(["query", "--2d", "--query", "point"], lines.join("\n") + "\n").trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(answers.length, lines.length);
    answers.forEach((answer, i) => {
        // A point of one child may be inside the other.
        const isInside = lines[i].includes("compound") && answer.signed_distance < 0;
        assert.ok(answer.status === "ok" && (isInside || Math.abs(answer.signed_distance) < 1e-5), `${lines[i]} ${JSON.stringify(answer)}`);
    });
});

test("a page shows the numbers of abut query --2d, and asks the network for nothing", async () => {
    const lines = [question("box", { shape: "box", half_extents: [0.6, 0.3], rounding: 0.1 }, [-0.8, 1.05], 0.3, ground), "nonsense </script>",
                   question("behind", ball, [0, -4], 0, ground), question("plane", ball, [0, 0.51], 0, { shape: "halfplane", normal: [0, 1], offset: 0 })];
    const { page, problems, asked } = await openPage(browser, makePlanePage(lines, "plane"));
    await whenReady(page);
    const [first, bad, behind, last] = abut(["query", "--2d"], lines.join("\n") + "\n").trim().split("\n").map((line) => JSON.parse(line));
    assert.match(await page.textContent("#summary"), /4 questions, 1 without an answer/);
    assert.ok((await page.textContent("#numbers")).includes(`signed distance${first.signed_distance} m`));
    assert.equal(await page.inputValue("#line"), lines[0]);
    assert.equal(await page.locator("#picture .shape.in-a").count(), 1);
    assert.equal(await page.locator("#picture .chain.in-b").count(), 2);
    assert.equal(await page.locator("#picture circle.contact").count(), first.contacts.length);
    await page.click("#next");
    assert.ok((await page.textContent("#numbers")).includes(bad.message));
    assert.equal(await page.inputValue("#line"), lines[1]);
    assert.equal(await page.locator("#picture .shape").count(), 0);
    await page.keyboard.press("ArrowRight");
    assert.equal(behind.signed_distance, null);
    assert.match(await page.textContent("#asked"), /behind: ok/);
    await page.click("#order-deepest");
    assert.match(await page.textContent("#asked"), /box/);
    assert.match(await page.textContent("#results li:nth-child(2)"), /plane/);
    await page.click("#results li:nth-child(2) button");
    assert.ok((await page.textContent("#numbers")).includes(String(last.signed_distance)));
    // Dragging moves the picture, the wheel zooms it.
    const before = await page.getAttribute("#picture g", "transform");
    await page.mouse.move(300, 300);
    await page.mouse.wheel(0, -200);
    assert.notEqual(await page.getAttribute("#picture g", "transform"), before);
    assert.deepEqual([problems, asked], [[], []]);
    await page.close();
});

test("casts, rays and points are drawn, too", async () => {
    const cast = await openPage(browser, makePlanePage([question("fall", ball, [0, 4.5], 0, ground, { a_end_pos: [0, -5.5] })], "cast", "--query", "cast"));
    await whenReady(cast.page);
    assert.equal(await cast.page.locator("#picture .shape.in-a").count(), 3); // start, hit, end
    assert.equal(await cast.page.locator("#picture .shape.in-a:not(.is-pale)").count(), 1);
    assert.match(await cast.page.textContent("#numbers"), /time0\.[23]/);
    const ray = await openPage(browser, makePlanePage([JSON.stringify({ id: 1, origin: [0, 5], direction: [0, -7], b: ball, b_pos: [0, 1], b_angle: 0 })], "ray", "--query", "ray"));
    await whenReady(ray.page);
    assert.equal(await ray.page.locator("#picture .ray").count(), 1);
    assert.equal(await ray.page.locator("#picture circle.contact").count(), 1);
    const point = await openPage(browser, makePlanePage([JSON.stringify({ id: 1, point: [0, 4], b: ball, b_pos: [0, 1], b_angle: 0 })], "point", "--query", "point"));
    await whenReady(point.page);
    assert.equal(await point.page.locator("#picture .gap").count(), 1);
    for (const { page, problems } of [cast, ray, point]) {
        assert.deepEqual(problems, []);
        await page.close();
    }
});

test("the page in the repository keeps its gap", () => {
    assert.match(readFileSync(new URL("../dist/plane.html", import.meta.url), "utf8"), /@ABUT_SCENE@/);
});
