// A headless Chromium with WebGL in software, for the tests and the pictures.
import { chromium } from "playwright-core";
import { existsSync } from "node:fs";

const executable = process.env.ABUT_CHROMIUM ?? ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export async function openBrowser(options = []) {
    if (!executable) throw new Error("no Chromium: install it, or name it in ABUT_CHROMIUM");
    const flags = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
    return chromium.launch({ executablePath: executable, args: [...flags, ...options] });
}

// The page with its errors and the addresses that it asked for.
export async function openPage(browser, file, size = { width: 1200, height: 760 }) {
    const page = await browser.newPage({ viewport: size });
    const problems = [], asked = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on("request", (request) => /^(file|data|blob):/.test(request.url()) || asked.push(request.url()));
    const begin = Date.now();
    await page.goto(`file://${file}`, { timeout: 120000 });
    return { page, problems, asked, begin };
}

export const whenReady = (page) => page.waitForFunction(() => ["answers", "failed"].includes(document.body.dataset.ready), null, { timeout: 180000 });
