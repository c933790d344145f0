// Nanoseconds per pair of abut and of Rapier, both as WebAssembly, in Node and in Chromium: node scripts/compare.mjs [--node]. rows.mjs says what is
// compared. Rapier is not among the packages of package.json: npm install --no-save @dimforge/rapier3d-compat@0.21.0
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { openBrowser } from "../test/browser.mjs";

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const { version } = JSON.parse(await readFile(at("node_modules/@dimforge/rapier3d-compat/package.json"), "utf8").catch(() => "{}"));
if (!version || Number(version.split(".")[1]) < 21) throw new Error(`Rapier ${version ?? "is not there"}: npm install --no-save @dimforge/rapier3d-compat@0.21.0`);

const module = await readFile(at("dist/abut.wasm.gz"));
const { outputFiles } = await build({
    logOverride: { "empty-import-meta": "silent" }, stdin: { contents: `export { compare } from "./scripts/rows.mjs";`, resolveDir: at(".") }, bundle: true, write: false, format: "iife", globalName: "rows", target: "es2022",
});

function print(where, rows) {
    console.log(`\n${where}, Rapier ${version}, nanoseconds per pair (minimum of ${rows[0].rounds} alternating rounds)`);
    console.log("| row | pairs | overlap | distance: abut | Rapier | ratio | contacts: abut | Rapier | ratio | largest difference |");
    console.log("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (const { row, pairs, overlap, distance: d, contacts: c, difference } of rows) {
        console.log(`| ${row} | ${pairs} | ${Math.round(100 * overlap)}% | ${d.abut.toFixed(0)} | ${d.rapier.toFixed(0)} | ${(d.rapier / d.abut).toFixed(1)} | ` +
                    `${c.abut.toFixed(0)} | ${c.rapier.toFixed(0)} | ${(c.rapier / c.abut).toFixed(1)} | ${difference.toPrecision(2)} m |`);
    }
}

// The same script in both, so that both run the same code.
print(`Node ${process.version}`, await new Function(`${outputFiles[0].text}; return rows;`)().compare(module));
if (!process.argv.includes("--node")) {
    const browser = await openBrowser(), page = await browser.newPage();
    await page.addScriptTag({ content: outputFiles[0].text });
    print(`Chromium ${browser.version()}`, await page.evaluate((text) => rows.compare(Uint8Array.from(atob(text), (character) => character.charCodeAt(0))), module.toString("base64")));
    await browser.close();
}
