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
