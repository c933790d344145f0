// Checks the golden checksums of WebAssembly in Node and in Chromium: node scripts/golden.mjs. The program is that of `cmake --build --preset wasm`.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../test/browser.mjs";

const at = (path) => fileURLToPath(new URL(`../../../${path}`, import.meta.url)), program = at("build/wasm/bin/abut_golden.js");

// Lines of "checksum query frame". This build reads no captures, and the pile is one.
const linesOf = (text) => text.split("\n").filter((line) => line && !line.startsWith("#") && !line.endsWith(" pile"));
const expected = linesOf(readFileSync(at("tests/golden/golden.txt"), "utf8"));

async function inChromium() {
    const browser = await openBrowser(), page = await browser.newPage(), failures = [];
    page.on("pageerror", (error) => failures.push(String(error)));
    const bytes = readFileSync(program.replace(/js$/, "wasm")).toString("base64");
    await page.evaluate((bytes) => {
        window.printed = [];
        window.finished = new Promise((resolve) => {
            const onExit = (code) => resolve([code, printed.join("\n")]), print = (line) => printed.push(line);
            window.Module = { wasmBinary: Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0)), print, onExit };
        });
    }, bytes);
    await page.addScriptTag({ path: program });
    const [code, text] = await page.evaluate(() => window.finished);
    await browser.close();
    if (code !== 0 || failures.length > 0) throw new Error(`exit code ${code}: ${failures.join("; ")}`);
    return text;
}

for (const [name, run] of [["Node", () => execFileSync(process.execPath, [program], { maxBuffer: 1 << 28 }).toString()], ["Chromium", inChromium]]) {
    const lines = new Set(linesOf(await run())), known = new Set(expected);
    const differ = [...expected.filter((line) => !lines.has(line)).map((line) => `expected ${line}`), ...[...lines].filter((line) => !known.has(line)).map((line) => `came ${line}`)];
    differ.forEach((line) => console.log(line));
    console.log(`${name}: ${lines.size} checksums, ${differ.length} lines differ`);
    if (differ.length > 0 || lines.size === 0) process.exitCode = 1;
}
