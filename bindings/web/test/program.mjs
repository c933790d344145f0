// The program `abut`, and its pages as the tests read them.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readScene, bytesOfBase64 } from "../build/test/scene/scene.js";

export const root = fileURLToPath(new URL("../../../", import.meta.url));
export const program = process.env.ABUT_PROGRAM ?? `${root}build/release/bin/abut`;
if (!existsSync(program)) throw new Error(`${program} is not there: build the command line, or name it in ABUT_PROGRAM`);

export const scratch = mkdtempSync(join(tmpdir(), "abut-web-"));
export const abut = (args, input = "") => execFileSync(program, args, { input, maxBuffer: 1 << 28 }).toString();

export function makePage(input, name, options = []) {
    const page = join(scratch, `${name}.html`);
    abut(["view", input, "-o", page, ...options]);
    return page;
}

export function sceneOf(page) {
    const text = readFileSync(page, "utf8");
    return readScene(bytesOfBase64(text.match(/id="abut-scene">([^<]*)</)[1]));
}

export const gallery = ["card-house", "arch", "terrain", "arm"].map((name) => ({ name, file: `${root}bindings/web/gallery/${name}.jsonl` }));
export const pile = { name: "pile", file: `${root}tools/demo/pile.abut` };
