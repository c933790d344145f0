// The lab in a browser: what it shows is what `abut query` answers for the line that it shows.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { openBrowser, openPage, whenReady } from "./browser.mjs";
import { abut, root } from "./program.mjs";

const browser = await openBrowser();
after(() => browser.close());
const lab = `${root}bindings/web/build/lab.html`;

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

test("a drag with Shift rotates a shape, and the numbers are those of abut query", async () => {
    const { page, problems } = await openPage(browser, lab);
    await whenReady(page);
    const before = JSON.parse(await checkShown(page)), box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2 - 0.19 * box.height, box.y + box.height / 2); // on shape A
    await page.keyboard.down("Shift");
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2 + 30, { steps: 3 });
    await page.mouse.up();
    const after = JSON.parse(await checkShown(page));
    assert.notDeepEqual(after.a_quat, before.a_quat);
    assert.deepEqual([after.a_pos, after.b_pos, after.b_quat], [before.a_pos, before.b_pos, before.b_quat]);
    assert.deepEqual(problems, []);
    await page.close();
});

test("the address holds the pair, the margin and the slack", async () => {
    const { page, problems } = await openPage(browser, lab);
    await whenReady(page);
    const first = page.url();
    await page.selectOption("#kind-b", "ellipsoid");
    for (const [slider, value] of [["margin", "0.4"], ["slack", "0.001"]]) await page.locator(`#${slider}`).fill(value);
    const line = await checkShown(page), address = page.url(), settings = (page) => Promise.all(["margin", "slack"].map((slider) => page.inputValue(`#${slider}`)));
    const contacts = await page.textContent("#contacts");
    await page.goto(first); // pasted into an open page
    assert.notEqual(await checkShown(page), line);
    await page.close();
    const { page: again } = await openPage(browser, address.replace("file://", ""));
    await whenReady(again);
    assert.equal(await checkShown(again), line);
    assert.deepEqual(await settings(again), ["0.4", "0.001"]);
    assert.equal(await again.textContent("#contacts"), contacts);
    assert.deepEqual(problems, []);
    await again.close();
});

test("an address that holds no pair leaves the first pair, and says so", async () => {
    for (const part of ["%E0%A4%A", "nothing", "{}", `${encodeURIComponent("{}")}&margin=1e300`]) {
        const { page, problems } = await openPage(browser, `${lab}#${part}`);
        await whenReady(page);
        assert.match(await page.textContent("#notice"), /holds no pair|no question/, part);
        assert.ok(await page.isVisible("#notice"));
        assert.equal(JSON.parse(await checkShown(page)).b.shape, "cone");
        assert.deepEqual(problems, []);
        await page.close();
    }
});

test("the page says which states certified the answers, as abut query --trace does", async () => {
    const { page, problems } = await openPage(browser, lab);
    await whenReady(page);
    for (const kind of await page.locator("#kind-b option").allTextContents()) {
        await page.selectOption("#kind-b", kind);
        const { trace } = JSON.parse(abut(["query", "--trace"], (await page.inputValue("#line")) + "\n")), shown = await page.textContent("#trace");
        const text = ({ states, certified_by, iterations }) => `certified by ${certified_by} (${states.join(" → ")}, ${iterations} iteration${iterations === 1 ? "" : "s"})`;
        assert.equal(shown, `Distance: ${text(trace)}. Contacts: ${text(trace.contacts)}.`);
    }
    assert.deepEqual(problems, []);
    await page.close();
});

test("the slider of the contact slack decides along which of two nearly equal depths the contacts are", async () => {
    const { page, problems } = await openPage(browser, lab), box = { shape: "box", half_extents: [0.5, 0.5, 0.5] }, tilt = 0.006;
    await whenReady(page);
    await page.fill("#line", JSON.stringify({ id: "tilted", a: box, a_pos: [0, 0, 0], a_quat: [0, 0, 0, 1], b: box, b_pos: [0.985, 0.99, 0.1], b_quat: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)] }));
    const deepest = async () => Number.parseFloat(await page.locator("#contacts tr:nth-child(2)").textContent());
    assert.ok(Math.abs(await deepest() - -0.01299) < 1e-5);
    await page.locator("#slack").fill("0");
    assert.equal(await page.textContent("#slack-text"), "0 m");
    assert.ok(Math.abs(await deepest() - -0.01207) < 1e-5);
    assert.deepEqual(problems, []);
    await page.close();
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
