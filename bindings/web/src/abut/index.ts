// The npm package abut: `const abut = await load()`, then worlds with shapes that are asked about pairs of bodies.
import { Module } from "./module.js";
import { World, type WorldOptions } from "./world.js";

export * from "./feature.js";
export * from "./shapes.js";
export * from "./world.js";

export interface Abut {
    version: string;
    createWorld(options?: WorldOptions): World;
}

/** The module's bytes from beside this file. */
async function readModule(): Promise<Uint8Array> {
    const url = new URL("../../dist/abut.wasm.gz", import.meta.url);
    if (url.protocol !== "file:") return new Uint8Array(await (await fetch(url)).arrayBuffer());
    const files: string = "node:fs/promises"; // a variable, so that bundlers leave it alone
    const { readFile } = (await import(/* @vite-ignore */ files)) as { readFile(path: URL): Promise<Uint8Array> };
    return readFile(url);
}

/** Loads the module once for each call. `bytes` are those of abut.wasm or abut.wasm.gz; without them the file of the package is read. */
export async function load(bytes?: Uint8Array): Promise<Abut> {
    const module = await Module.load(bytes ?? (await readModule()));
    return { version: module.version, createWorld: (options) => new World(module, options) };
}
