// Puts the module that `cmake --build --preset wasm` made into bindings/web/dist, compressed: node scripts/module.mjs
import { readFile, writeFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";

const bytes = await readFile(new URL("../../../build/wasm/bin/abut.wasm", import.meta.url));
const compressed = gzipSync(bytes, { level: 9 });
await writeFile(new URL("../dist/abut.wasm.gz", import.meta.url), compressed);
console.log(`abut.wasm: ${(bytes.length / 1024).toFixed(0)} KiB, compressed ${(compressed.length / 1024).toFixed(0)} KiB`);
