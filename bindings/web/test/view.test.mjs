// The page of `abut view` in a browser.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { openBrowser, openPage, whenReady } from "./browser.mjs";
import { questionLine } from "../build/test/scene/numbers.js";
import { abut, gallery, makePage, pile, sceneOf, scratch } from "./program.mjs";

const browser = await openBrowser();
const patience = process.env.CI ? 15 : 4; // times slower than a machine that does nothing else
after(() => browser.close());

// How many different colours a picture has; a blank one has one.
const colors = (page) => page.evaluate(() => {
    const canvas = document.getElementById("canvas"), copy = document.createElement("canvas");
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    return new Set(new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)).size;
});

test("the pile of 2,000 bodies is drawn without errors, and asks the network for nothing", async () => {
    const file = makePage(pile.file, "pile"), { page, problems, asked } = await openPage(browser, file);
    await whenReady(page);
    assert.deepEqual([problems, asked], [[], []]);
    assert.match(await page.textContent("#summary"), /2,005 bodies · 4,956 pairs · .* overlaps · 4,260 contacts/);
    assert.ok((await colors(page)) > 200);
    await page.click("#next");
    assert.match(await page.textContent("#frame-text"), /piling t=2.500 \(2 of 6\)/);
    assert.ok(statSync(file).size < 3e6);
    await page.close();
});

// The pile's six frames, and four between them: in each all bodies have moved.
function tenFrames() {
    const [shapes, ...frames] = abut(["dump", pile.file]).trim().split("\n").map((line) => JSON.parse(line)), out = [];
    frames.forEach((frame, i) => {
        out.push(frame);
        if (i < 1 || i > 4) return;
        const bodies = frame.bodies.map((body, k) => body.map((number, j) => (j < 1 || j > 3 ? number : Math.fround(0.5 * (number + frames[i + 1].bodies[k][j])))));
        out.push({ ...frame, label: `${frame.label} and a half`, bodies });
    });
    return [shapes, ...out].map((line) => JSON.stringify(line)).join("\n") + "\n";
}

test("a page of 2,000 bodies and ten frames has less than 3 MB, and shows its first picture within two seconds", async (t) => {
    const file = join(scratch, "ten.jsonl");
    writeFileSync(file, tenFrames());
    const made = makePage(file, "ten");
    assert.ok(statSync(made).size < 3e6, `${statSync(made).size} bytes`);
    const { page, problems } = await openPage(browser, made);
    await whenReady(page);
    const milliseconds = await page.evaluate(() => performance.getEntriesByName("first picture")[0].startTime);
    t.diagnostic(`${(statSync(made).size / 1e6).toFixed(2)} MB, first picture after ${Math.round(milliseconds)} ms`);
    assert.ok(milliseconds < 2000 * patience, `${milliseconds} ms`);
    assert.match(await page.textContent("#frame-text"), /of 10/);
    assert.deepEqual(problems, []);
    await page.close();
});

test("the deepest pair shows the numbers of abut query, alone", async () => {
    const { page, problems } = await openPage(browser, makePage(gallery[0].file, "card-house"));
    await whenReady(page);
    await page.click("#chips button:first-child");
    const question = await page.inputValue("#line"), answer = JSON.parse(abut(["query"], question + "\n"));
    const shown = await page.textContent("#numbers");
    assert.ok(shown.includes(`signed distance${answer.signed_distance} m`), shown);
    assert.ok(shown.includes(`[${answer.point_a.join(", ")}]`), shown);
    const contacts = await page.textContent("#contacts");
    for (const contact of answer.contacts) assert.ok(contacts.includes(String(contact.feature)));
    assert.equal(await page.locator("#labels span").count(), 2);
    assert.ok((await colors(page)) > 50);
    await page.click("#show-all");
    assert.equal(await page.isVisible("#picked"), false);
    assert.deepEqual(problems, []);
    await page.close();
});

// The lines of `abut query` for all pairs of a page's frame.
function answersOf(file, index, options = []) {
    const scene = sceneOf(file), frame = scene.frames[index], pairs = [...Array(frame.pairs.length / 2).keys()];
    const questions = pairs.map((pair) => questionLine(pair, frame, scene.shapes, frame.pairs[2 * pair], frame.pairs[2 * pair + 1]));
    return abut(["query", ...options], questions.join("\n") + "\n").trim().split("\n").map((line) => JSON.parse(line));
}
const valuesOf = (page, chart) => page.locator(`${chart} [data-value]`).evaluateAll((marks) => marks.map((mark) => Number(mark.dataset.value)));

test("charts count the contacts and pairs of the frame as abut query has them", async () => {
    const file = makePage(gallery[2].file, "terrain-charts"), { page, problems } = await openPage(browser, file);
    await whenReady(page);
    for (const index of [0, 5]) {
        await page.locator("#frame").fill(String(index));
        const answers = answersOf(file, index), contacts = answers.flatMap((answer) => answer.contacts);
        const perPair = [0, 1, 2, 3, 4].map((count) => answers.filter((answer) => answer.contacts.length === count).length);
        const more = answers.length - perPair.reduce((sum, count) => sum + count);
        assert.deepEqual(await valuesOf(page, "#chart-contacts"), more > 0 ? [...perPair, more] : perPair);
        const bins = await valuesOf(page, "#chart-separation"), half = bins.length / 2, sum = (counts) => counts.reduce((all, count) => all + count, 0);
        const deep = contacts.filter(({ separation }) => separation <= 0).length;
        assert.deepEqual([sum(bins.slice(0, half)), sum(bins.slice(half))], [deep, contacts.length - deep]);
    }
    await page.click("#chart-kinds button:first-child");
    assert.equal(await page.inputValue("#search"), "box heightfield");
    assert.match(await page.textContent("#found"), new RegExp(`^${await page.textContent("#chart-kinds button:first-child .number")} pairs`));
    assert.deepEqual(problems, []);
    await page.close();
});

test("the chart of states counts the pairs as abut query --trace names them, and its rows find them", async () => {
    const file = makePage(gallery[0].file, "states"), { page, problems } = await openPage(browser, file);
    await whenReady(page);
    const counts = new Map();
    for (const { trace } of answersOf(file, 0, ["--trace"])) counts.set(trace.certified_by, (counts.get(trace.certified_by) ?? 0) + 1);
    const rows = await page.locator("#chart-states button").evaluateAll((buttons) => buttons.map((button) => [button.firstChild.textContent, Number(button.lastChild.textContent)]));
    assert.deepEqual(new Map(rows), counts);
    assert.ok(counts.size > 1);
    await page.click("#chart-states button:last-child");
    const [state, count] = rows.at(-1);
    assert.equal(await page.inputValue("#search"), state);
    assert.match(await page.textContent("#found"), new RegExp(`^${count} pairs`));
    assert.deepEqual(problems, []);
    await page.close();
});

test("charts over the frames have each frame's counts, and a click shows the frame", async () => {
    const { page, problems } = await openPage(browser, makePage(gallery[2].file, "terrain-frames"));
    await page.waitForFunction(() => document.body.dataset.charts === "complete", null, { timeout: 180000 });
    const [contacts, overlaps] = await Promise.all([1, 2].map((chart) => valuesOf(page, `#chart-frames svg:nth-child(${chart})`)));
    assert.equal(contacts.length, 6);
    for (let frame = 0; frame < 6; ++frame) {
        await page.locator("#frame").fill(String(frame));
        assert.ok((await page.textContent("#summary")).endsWith(`${overlaps[frame]} overlaps · ${contacts[frame]} contacts`));
    }
    assert.ok(contacts[5] > contacts[0]); // the bodies fall
    const chart = page.locator("#chart-frames svg:nth-child(1)"), { width, height } = await chart.boundingBox();
    await chart.click({ position: { x: width - 8, y: height / 2 } });
    await page.click("#previous");
    assert.match(await page.textContent("#frame-text"), /\(5 of 6\)/);
    assert.deepEqual(problems, []);
    await page.close();
});

test("a pair with more candidates than contacts shows those that are not kept", async () => {
    const quat = [0, 0, 0, 1], third = [0, Math.sin(Math.PI / 8), 0, Math.cos(Math.PI / 8)], file = join(scratch, "candidates.jsonl");
    const box = { shape: "box", half_extents: [0.5, 0.5, 0.5] }, ask = (id, b_quat) => ({ id, a: box, a_pos: [0, 0, 0], a_quat: quat, b: box, b_pos: [0, 0.995, 0], b_quat });
    writeFileSync(file, [ask("rotated", third), ask("aligned", quat)].map((line) => JSON.stringify(line)).join("\n") + "\n");
    const { page, problems } = await openPage(browser, makePage(file, "candidates"));
    await whenReady(page);
    assert.match(await page.textContent("#candidates-text"), /^Kept of 8 candidates, recomputed in this page\. Grey: the 4 not kept\./); // an octagon
    await page.click("#next");
    assert.equal(await page.isVisible("#candidates"), false);
    assert.deepEqual(problems, []);
    await page.close();
});

test("the search finds bodies, kinds and statuses, and says what it does not know", async () => {
    const { page } = await openPage(browser, makePage(gallery[2].file, "terrain"));
    await whenReady(page);
    await page.fill("#search", "12");
    assert.ok((await page.locator("#results button").allTextContents()).every((text) => /(^|–)12\D/.test(text)));
    await page.fill("#search", "sphere heightfield");
    assert.match(await page.textContent("#found"), /^7 pairs/);
    await page.fill("#search", "not_converged");
    assert.match(await page.textContent("#found"), /^0 pairs/);
    await page.fill("#search", "shpere");
    assert.match(await page.textContent("#found"), /"shpere" is no body/);
    await page.close();
});

test("questions: one per frame, and a refused line says why", async () => {
    const ball = { shape: "sphere", radius: 0.5 }, quat = [0, 0, 0, 1], file = join(scratch, "questions.jsonl");
    const good = { id: "apart", a: ball, a_pos: [0, 0, 0], a_quat: quat, b: ball, b_pos: [2, 0, 0], b_quat: quat };
    writeFileSync(file, [JSON.stringify(good), "no JSON", JSON.stringify({ ...good, id: "<b>bad</b>", b: { shape: "sphere", radius: -1 } })].join("\n") + "\n");
    const { page, problems } = await openPage(browser, makePage(file, "questions"));
    await whenReady(page);
    assert.match(await page.textContent("#numbers"), /signed distance1 m/);
    await page.click("#next");
    assert.match(await page.textContent("#summary"), /line 2: bad_input: .*not JSON/);
    await page.click("#next");
    assert.match(await page.textContent("#summary"), /line 3: bad_shape: b: .*radius/);
    assert.match(await page.textContent("#frame-text"), /<b>bad<\/b>/);
    assert.deepEqual(problems, []);
    await page.close();
});

test("without WebGL the page says so", async () => {
    const plain = await openBrowser(["--disable-gpu", "--disable-3d-apis"]), { page } = await openPage(plain, makePage(gallery[1].file, "arch"));
    await whenReady(page);
    assert.match(await page.textContent("#notice"), /no WebGL/);
    await plain.close();
});

test("the checksums of all frames are those of abut replay", async () => {
    const { page, problems } = await openPage(browser, makePage(pile.file, "sums"));
    await whenReady(page);
    await page.click("#compute-checksums");
    await page.waitForFunction(() => document.body.dataset.checksums === "complete", null, { timeout: 180000 });
    assert.match(await page.textContent("#checksum-text"), /^Equal/);
    for (const query of ["overlap", "distance", "collide"]) {
        const expected = abut(["replay", pile.file, "--checksum", "--query", query]).trim();
        assert.ok((await page.textContent("#checksum-rows")).includes(query + expected), query);
    }
    assert.deepEqual(problems, []);
    await page.close();
});
