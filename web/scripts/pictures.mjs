// Makes docs/pictures from pages of `abut view`: node scripts/pictures.mjs. ABUT_PROGRAM names the program, ABUT_CHROMIUM the browser.
import { mkdirSync } from "node:fs";
import { openBrowser, openPage, whenReady } from "../test/browser.mjs";
import { gallery, makePage, pile, root } from "../test/program.mjs";

const pictures = [
    { name: "pile", file: pile.file, before: (page) => page.evaluate(() => document.querySelector("#next").click()) },
    { name: "pair", file: gallery[0].file, before: (page) => page.click("#chips button:first-child") },
];
const browser = await openBrowser();
mkdirSync(`${root}docs/pictures`, { recursive: true });
for (const { name, file, before } of pictures) {
    const { page, problems } = await openPage(browser, makePage(file, `picture-${name}`), { width: 1100, height: 640 });
    await whenReady(page);
    await before(page);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${root}docs/pictures/${name}.png` });
    if (problems.length > 0) throw new Error(problems.join("\n"));
}
await browser.close();
