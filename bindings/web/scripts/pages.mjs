// Bundles the pages: node scripts/pages.mjs [--check]. Those of `abut view` keep their gaps for data (tools/abut/view_page.hpp); they are in the
// repository, so that the command line needs neither Node nor npm. --check compares them with the sources. The labs go to bindings/web/build/.
// The script is compressed, and page.html unpacks it: three.js is a fifth of a page otherwise.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { gunzipSync, gzipSync } from "node:zlib";

const at = (path) => new URL(`../${path}`, import.meta.url);
const read = (path) => readFile(at(path), "utf8");

// The notices of what is bundled.
async function licences() {
    const three = await read("node_modules/three/LICENSE"), own = await readFile(at("../../LICENSE"), "utf8");
    return `abut:\n${own}\nthree.js:\n${three}`.replaceAll("\r", "");
}

async function script(entry) {
    const { outputFiles } = await build({
        entryPoints: [at(entry).pathname], bundle: true, minify: true, write: false, format: "iife", target: "es2022", legalComments: "none", charset: "ascii",
    });
    return gzipSync(outputFiles[0].contents, { level: 9 }).toString("base64");
}

async function page(folder, ...styles) {
    const [html, code] = [await read(`src/${folder}/page.html`), await script(`src/${folder}/main.ts`)];
    const style = (await Promise.all(styles.map((name) => read(`src/${name}/style.css`)))).join("");
    const notices = await licences();
    return html.replace("@STYLE@", () => style).replace("@SCRIPT@", () => code).replace("@LICENCES@", () => notices);
}

// With the script as text: Node's versions compress it to other bytes.
const unpacked = (html) => html.replace(/(id="script">)([^<]*)/, (_, tag, code) => tag + gunzipSync(Buffer.from(code, "base64")));

// Whole, for a browser; in bindings/web/build because nothing needs it.
async function writeLabs() {
    const module = (await readFile(at("dist/abut.wasm.gz"))).toString("base64");
    await mkdir(at("build"), { recursive: true });
    await writeFile(at("build/lab.html"), (await page("lab", "view", "lab")).replace("@ABUT_MODULE@", () => module));
    await writeFile(at("build/plane-lab.html"), await page("plane-lab", "view", "lab", "plane", "plane-lab"));
}

const isCheck = process.argv.includes("--check");
for (const [name, folder] of [["viewer.html", "view"], ["plane.html", "plane"]]) {
    const made = await page(folder, ...new Set(["view", folder])), committed = at(`dist/${name}`);
    if (!isCheck) {
        await writeFile(committed, made);
    } else if (unpacked(await readFile(committed, "utf8").catch(() => "")) !== unpacked(made)) {
        console.error(`bindings/web/dist/${name} is not what bindings/web/src gives: run "npm run pages" in bindings/web/ and commit it`);
        process.exitCode = 1;
    }
    console.log(`${name}: ${(made.length / 1024).toFixed(0)} KiB`);
}
await writeLabs();
