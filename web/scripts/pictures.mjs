// Makes docs/pictures from a page of `abut view` and the lab: node scripts/pictures.mjs. ABUT_PROGRAM names the program, ABUT_CHROMIUM the browser.
import { mkdirSync } from "node:fs";
import { openBrowser, openPage, whenReady } from "../test/browser.mjs";
import { makePage, pile, root } from "../test/program.mjs";

// Small enough for the repository: below 150 kB each.
const size = { width: 840, height: 480 };
const pictures = [
    { name: "pile", page: () => makePage(pile.file, "picture-pile"), before: (page) => page.click("#next") },
    { name: "lab", page: () => `${root}web/build/lab.html`, before: async (page) => { for (let i = 0; i < 4; ++i) await page.click("#next"); } },
];
const browser = await openBrowser();
mkdirSync(`${root}docs/pictures`, { recursive: true });
for (const { name, page: make, before } of pictures) {
    const { page, problems } = await openPage(browser, make(), size);
    await whenReady(page);
    await before(page);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${root}docs/pictures/${name}.png` });
    if (problems.length > 0) throw new Error(problems.join("\n"));
}
await browser.close();
