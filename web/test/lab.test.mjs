// The lab in a browser: what it shows is what `abut query` answers for the line that it shows.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBrowser, openPage, whenReady } from "./browser.mjs";
import { abut, root } from "./program.mjs";

const browser = await openBrowser();
after(() => browser.close());
const lab = `${root}web/build/lab.html`;

async function checkShown(page) {
    const line = await page.inputValue("#line"), answer = JSON.parse(abut(["query"], line + "\n")), shown = await page.textContent("#numbers");
    assert.ok(shown.includes(`signed distance${answer.signed_distance} m`), `${line}\n${shown}`);
    assert.ok(shown.includes(`[${answer.point_b.join(", ")}]`), shown);
    return line;
}

test("a drag moves a shape, and the numbers are those of abut query", async () => {
    const { page, problems, asked } = await openPage(browser, lab);
    await whenReady(page);
    const before = await checkShown(page), box = await page.locator("#canvas").boundingBox();
    const [x, y] = [box.x + box.width / 2 - 0.19 * box.height, box.y + box.height / 2]; // on shape A
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 45, y - 12, { steps: 3 });
    await page.mouse.up();
    const after = await checkShown(page), position = (line) => JSON.parse(line).a_pos;
    assert.notDeepEqual(position(after), position(before));
    assert.deepEqual(JSON.parse(after).b_pos, JSON.parse(before).b_pos);
    assert.deepEqual([problems, asked], [[], []]);
    await page.close();
});

test("the address holds the pair", async () => {
    const { page, problems } = await openPage(browser, lab);
    await whenReady(page);
    await page.selectOption("#kind-b", "ellipsoid");
    const line = await checkShown(page), address = page.url();
    await page.close();
    const { page: again } = await openPage(browser, address.replace("file://", ""));
    await whenReady(again);
    assert.equal(await checkShown(again), line);
    assert.deepEqual(problems, []);
    await again.close();
});

// The texts of all steps.
async function stepTexts(page) {
    const count = Number((await page.textContent("#step-number")).split(" ").at(-1)), texts = [await page.textContent("#step-text")];
    for (let i = 1; i < count; ++i) {
        await page.click("#next");
        texts.push(await page.textContent("#step-text"));
    }
    return texts;
}

test("steps: GJK and EPA end with the library's distance, MPR with a portal, and the page says that it is for teaching", async () => {
    const { page, problems } = await openPage(browser, lab);
    await whenReady(page);
    const question = JSON.parse(await page.inputValue("#line"));
    for (const b_pos of [question.b_pos, [0.1, 0.2, 0.3]]) {
        const line = JSON.stringify({ ...question, b_pos }), { signed_distance: distance } = JSON.parse(abut(["query"], line + "\n"));
        await page.fill("#line", line);
        await page.check("#gjk");
        const last = (await stepTexts(page)).at(-1);
        assert.match(last, distance > 0 ? /distance is/ : /depth is/);
        assert.ok(Math.abs(Number(last.match(/is ([0-9.]+[0-9])/)[1]) - Math.abs(distance)) < 1e-3, `${last} ${distance}`);
        assert.equal(await page.isVisible("#mpr-note"), false);
        await page.check("#mpr");
        assert.match(await page.textContent("#step-number"), /^step 1 of/);
        const portal = await stepTexts(page);
        assert.match(portal[0], /^MPR begins with a point inside/);
        assert.match(portal.at(-1), distance > 0 ? /apart/ : /depth along its normal/);
        assert.match(await page.textContent("#mpr-note"), /for teaching\. The library does not use it/);
        assert.ok(await page.isVisible("#mpr-note"));
    }
    assert.deepEqual(problems, []);
    await page.close();
});
