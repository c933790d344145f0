// Makes docs/pictures from pages of `abut view` and the lab: npm run pictures [NAME...]. ABUT_PROGRAM names the program, ABUT_CHROMIUM the browser.
// The software renderer of one Chromium draws the same pixels each time. Pages that have not changed thus give the same files.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openBrowser, openPage, whenReady } from "../test/browser.mjs";
import { abut, gallery, makePage, pile, root, scratch } from "../test/program.mjs";

const whole = { width: 840, height: 480 }; // of the page
const scene = { width: 830, height: 320 }; // of which the panel has 350
// Moves the camera nearer, by so many steps of the wheel.
async function zoom(page, steps) {
    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    for (let i = 0; i < steps; ++i) await page.mouse.wheel(0, -100);
}
const show = (page, frame) => page.locator("#frame").fill(String(frame));
const next = async (page, clicks) => { for (let i = 0; i < clicks; ++i) await page.click("#next"); };
const lab = () => `${root}bindings/web/build/lab.html`;
const of = (name) => () => makePage(gallery.find((capture) => capture.name === name).file, `picture-${name}`);

// A hexagonal prism on a box: seven candidates.
function candidatesPage() {
    const corner = (i, y) => [Math.fround(0.5 * Math.cos((Math.PI * i) / 3)), y, Math.fround(0.5 * Math.sin((Math.PI * i) / 3))], turned = [0, Math.sin(Math.PI / 12), 0, Math.cos(Math.PI / 12)];
    const prism = { shape: "hull", vertices: [-0.3, 0.3].flatMap((y) => [...Array(6).keys()].map((i) => corner(i, y))) };
    const question = { id: "prism on box", a: { shape: "box", half_extents: [0.5, 0.4, 0.5] }, a_pos: [0, 0, 0], a_quat: [0, 0, 0, 1], b: prism, b_pos: [0.2, 0.696, 0.15], b_quat: turned };
    const file = join(scratch, "prism.jsonl");
    writeFileSync(file, `${JSON.stringify(question)}\n`);
    return makePage(file, "picture-candidates");
}

// A rounded box on a chain.
function planePage() {
    const file = join(scratch, "plane.jsonl"), page = join(scratch, "picture-plane.html");
    const question = { id: "box on a chain", a: { shape: "box", half_extents: [0.6, 0.3], rounding: 0.1 }, a_pos: [-0.75, 1.0], a_angle: 0.45, b: { shape: "chain", vertices: [[1.5, 0.4], [0, 1], [-1.5, 0.2], [-2.2, 0.4]], loop: false }, b_pos: [0, 0], b_angle: 0 };
    writeFileSync(file, `${JSON.stringify(question)}\n`);
    abut(["view", "--2d", file, "-o", page]);
    return page;
}

// `part`: the element that is in the picture, instead of the whole page. `hide`: elements that would cover the scene. `near`: steps of the wheel.
const pictures = [
    { name: "pile", make: () => makePage(pile.file, "picture-pile"), before: pileView },
    { name: "lab", make: lab, size: { width: 840, height: 720 }, before: (page) => next(page, 4) },
    { name: "card-house", make: of("card-house"), size: scene, part: "main", hide: "#legend", near: 6 },
    { name: "arch", make: of("arch"), size: scene, part: "main", hide: "#legend", near: 5 },
    { name: "terrain", make: of("terrain"), size: scene, part: "main", hide: "#legend, #player", near: 8, before: (page) => show(page, 5) },
    { name: "arm", make: of("arm"), size: scene, part: "main", hide: "#legend, #player", near: 8, before: (page) => show(page, 5) },
    { name: "charts", make: () => makePage(pile.file, "picture-charts"), size: { width: 840, height: 780 }, part: "#charts", before: (page) => show(page, 3) },
    { name: "candidates", make: candidatesPage, size: scene, part: "main", hide: "#legend, #labels", near: 12 },
    { name: "polytope", make: lab, size: { width: 840, height: 560 }, part: ".pane:nth-child(2)", before: polytope },
    { name: "plane-view", make: planePage, size: { width: 780, height: 320 }, part: "main", hide: "#player" },
    { name: "plane-lab", make: () => `${root}bindings/web/build/plane-lab.html`, size: { width: 840, height: 560 }, before: (page) => next(page, 2) },
    { name: "portal", make: lab, size: { width: 840, height: 560 }, part: ".pane:nth-child(2)", before: portal },
];

// A frame with contacts, filling the picture.
async function pileView(page) {
    await show(page, 3);
    await page.click("#chips button:first-child");
    await page.click("#show-all");
    await page.fill("#search", "");
}

async function overlap(page) {
    const line = JSON.parse(await page.inputValue("#line"));
    await page.fill("#line", JSON.stringify({ ...line, b_pos: [0.25, 0.25, 0.1] }));
}

// EPA has found the depth.
async function polytope(page) {
    await overlap(page);
    const count = Number((await page.textContent("#step-number")).split(" ").at(-1));
    await next(page, count - 1);
}

// MPR has found its portal.
async function portal(page) {
    await overlap(page);
    await page.check("#mpr");
    await next(page, 3);
}

const wanted = process.argv.slice(2), browser = await openBrowser();
mkdirSync(`${root}docs/pictures`, { recursive: true });
for (const { name, make, size, part, hide, near = 0, before } of pictures.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const { page, problems } = await openPage(browser, await make(), size ?? whole);
    await whenReady(page);
    await before?.(page);
    if (near > 0) await zoom(page, near);
    if (hide) await page.addStyleTag({ content: `${hide} { visibility: hidden; }` });
    if (part === "#charts") await page.waitForFunction(() => document.body.dataset.charts === "complete");
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await (part ? page.locator(part) : page).screenshot({ path: `${root}docs/pictures/${name}.png` });
    if (problems.length > 0) throw new Error(problems.join("\n"));
    await page.close();
}
await browser.close();
