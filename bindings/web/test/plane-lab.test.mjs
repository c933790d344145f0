// The lab in the plane: its steps beside the library's answers, and the page in a browser.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBrowser, openPage, whenReady } from "./browser.mjs";
import { steps } from "../build/test/plane-lab/gjk.js";
import { dot, minus, partsOf, placed, plus } from "../build/test/plane/shapes.js";
import { abut, root } from "./program.mjs";

const browser = await openBrowser();
after(() => browser.close());
const lab = `${root}bindings/web/build/plane-lab.html`;
const ask = (lines) => abut(["query", "--2d"], lines.map((line) => line + "\n").join("")).trim().split("\n").map((line) => JSON.parse(line));

// Numbers in [0, 1), the same in each run [Steele, Lea, Flood 2014: splitmix32].
function dice(seed) {
    return () => {
        let z = (seed = (seed + 0x9e3779b9) | 0);
        z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
        z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
        return ((z ^ (z >>> 15)) >>> 0) / 2 ** 32;
    };
}

function randomShape(next) {
    const kind = Math.floor(4 * next()), rounding = next() < 0.3 ? 0.2 * next() : 0;
    if (kind === 0) return { shape: "circle", radius: 0.1 + next() };
    if (kind === 1) return { shape: "capsule", radius: 0.3 * next(), half_height: next() };
    if (kind === 2) return { shape: "box", half_extents: [0.1 + next(), 0.1 + next()], rounding };
    return { shape: "polygon", vertices: [...Array(3 + Math.floor(8 * next()))].map(() => [2 * next() - 1, 2 * next() - 1]), rounding };
}

test("GJK and EPA in steps end with the library's distances and points, on 600 pairs", () => {
    const next = dice(3), pairs = [...Array(600)].map(() => ({
        a: randomShape(next), a_pos: [next(), next()], a_angle: 6 * next(), b: randomShape(next), b_pos: [3 * next() - 1.5, 3 * next() - 1.5], b_angle: 6 * next(),
    }));
    const answers = ask(pairs.map((pair, id) => JSON.stringify({ id, ...pair })));
    let overlaps = 0, expanded = 0;
    pairs.forEach((q, i) => {
        const swept = (shape, position, angle) => placed(partsOf(shape)[0], position, angle), answer = answers[i];
        const { steps: all, answer: shown } = steps(swept(q.a, q.a_pos, q.a_angle), swept(q.b, q.b_pos, q.b_angle)), text = `${JSON.stringify(q)} ${JSON.stringify(shown)}`;
        assert.ok(Math.abs(shown.signedDistance - answer.signed_distance) < 1e-5, `${text} ${answer.signed_distance}`);
        const rest = minus(minus(shown.pointB, shown.pointA), plus([0, 0], shown.normal, shown.signedDistance));
        assert.ok(Math.abs(Math.hypot(...shown.normal) - 1) < 1e-9 && Math.hypot(...rest) < 1e-9, text);
        if (all.some(({ kind }) => kind === "epa")) ++expanded;
        if (shown.signedDistance < 0) ++overlaps;
        // The last polygon is behind its nearest edge.
        const { kind: last, vertices: corners, nearest: edge } = all.at(-1);
        if (last === "epa") assert.ok(corners.every(({ point }) => dot(point, edge) <= dot(edge, edge) + 1e-9), text);
        // Each step of GJK is nearer to the origin, each polygon of EPA has one corner more.
        all.forEach(({ kind, vertices, nearest }, k) => {
            const before = all[k - 1];
            if (before && kind === before.kind) assert.ok(kind === "epa" ? vertices.length === before.vertices.length + 1 : Math.hypot(...nearest) <= Math.hypot(...before.nearest) + 1e-12, text);
        });
    });
    assert.ok(overlaps > 100 && overlaps < 500 && expanded > 50, `${overlaps} ${expanded}`);
});

test("concentric shapes, points and segments on one line have an answer", () => {
    const at = (shape, position) => placed(partsOf(shape)[0], position, 0), ball = { shape: "circle", radius: 0.5 }, stick = { shape: "capsule", radius: 0, half_height: 1 };
    const cases = [[ball, [0, 0], ball, [0, 0], -1], [stick, [0, 0], stick, [0, 0], 0], [stick, [0, 0], stick, [0, 3], 1], [stick, [0, 0], ball, [0, 0.5], -0.5], [{ shape: "box", half_extents: [1, 1] }, [0, 0], { shape: "box", half_extents: [1, 1] }, [0, 0], -2]];
    for (const [a, p, b, q, expected] of cases) assert.ok(Math.abs(steps(at(a, p), at(b, q)).answer.signedDistance - expected) < 1e-9, JSON.stringify([a, b]));
});

async function checkShown(page) {
    const line = await page.inputValue("#line"), [answer] = ask([line]), shown = await page.textContent("#numbers");
    assert.ok(Math.abs(Number(shown.match(/signed distance(\S+) m/)[1]) - answer.signed_distance) < 1e-5, `${line}\n${shown}`);
    return JSON.parse(line);
}

test("drags move and rotate a shape, the address holds the pair, and the steps end with the answer", async () => {
    const { page, problems, asked } = await openPage(browser, lab);
    await whenReady(page);
    const before = await checkShown(page), box = await page.locator("#picture .in-b").first().boundingBox(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const drag = async (dx, dy) => {
        await page.mouse.move(x, y);
        await page.mouse.down();
        await page.mouse.move(x + dx, y + dy, { steps: 4 });
        await page.mouse.up();
    };
    await drag(-40, 10);
    const moved = await checkShown(page);
    assert.ok(moved.b_pos[0] < before.b_pos[0] && moved.b_pos[1] < before.b_pos[1]);
    assert.deepEqual([moved.a_pos, moved.b_angle], [before.a_pos, before.b_angle]);
    await page.keyboard.down("Shift");
    await drag(20, 40);
    await page.keyboard.up("Shift");
    const rotated = await checkShown(page);
    assert.notEqual(rotated.b_angle, moved.b_angle);
    assert.deepEqual(rotated.b_pos, moved.b_pos);
    await page.selectOption("#kind-a", "circle");
    await page.locator("#rounding-b").fill("0.2");
    const last = await checkShown(page), address = page.url();
    assert.equal(last.b.rounding, 0.2);
    for (const b_pos of [last.b_pos, last.a_pos]) {
        await page.fill("#line", JSON.stringify({ ...last, b_pos }));
        await checkShown(page);
        const count = Number((await page.textContent("#step-number")).match(/of (\d+)/)[1]);
        for (let i = 1; i < count; ++i) await page.click("#next");
        assert.match(await page.textContent("#step-text"), /(distance|depth) is/);
    }
    const { page: again } = await openPage(browser, address.replace("file://", ""));
    await whenReady(again);
    assert.deepEqual(await checkShown(again), last);
    assert.deepEqual([problems, asked], [[], []]);
    await page.close();
    await again.close();
});

test("an address that holds no pair of convex shapes leaves the first pair, and says so", async () => {
    const chain = JSON.stringify({ id: 1, a: { shape: "chain", vertices: [[0, 0], [1, 0]], loop: false }, a_pos: [0, 0], a_angle: 0, b: { shape: "circle", radius: 1 }, b_pos: [0, 0], b_angle: 0 });
    for (const part of ["%E0%A4%A", "nothing", "{}", encodeURIComponent(chain), encodeURIComponent(chain.replace("chain", "sphere"))]) {
        const { page, problems } = await openPage(browser, `${lab}#${part}`);
        await whenReady(page);
        assert.match(await page.textContent("#notice"), /holds no pair|no question/, part);
        assert.equal((await checkShown(page)).b.vertices.length, 3);
        assert.deepEqual(problems, []);
        await page.close();
    }
});
