// The WebAssembly module: its functions, and its memory as typed arrays. bindings/web/wasm/module.cpp has the other half.

/** The functions of module.cpp. Pointers and sizes are numbers. */
interface Exports extends WebAssembly.Exports {
    memory: WebAssembly.Memory;
    _initialize(): void;
    web_allocate(bytes: number): number;
    web_free(pointer: number): void;
    web_error(): number;
    web_version(): number;
    web_world_create(margin: number, contactSlack: number): number;
    web_world_destroy(world: number): void;
    web_add_shape(world: number, kind: number, numbers: number): number;
    web_add_hull(world: number, numbers: number, points: number, count: number): number;
    web_add_compound(world: number, numbers: number, children: number, count: number): number;
    web_add_mesh(world: number, numbers: number, bothSides: number, solid: number, vertices: number, vertexCount: number, triangles: number, triangleCount: number): number;
    web_add_heightfield(world: number, numbers: number, bothSides: number, heights: number, rows: number, columns: number,
                        cells: number, cellCount: number): number;
    web_remove(world: number, shape: number): number;
    web_overlap(world: number, shapes: number, positions: number, orientations: number, bodies: number, pairs: number, pairCount: number,
                bits: number, status: number): number;
    web_distance(world: number, shapes: number, positions: number, orientations: number, bodies: number, pairs: number, pairCount: number,
                 traces: number, signedDistance: number, normal: number, pointA: number, pointB: number, status: number): number;
    web_collide(world: number, shapes: number, positions: number, orientations: number, bodies: number, pairs: number, pairCount: number,
                margins: number, traces: number): number;
    web_certified_by(trace: number): number;
    web_state_name(state: number): number;
}

/** What the module asks of its host. It has no files and no clock: everything else is refused. */
function hostFunctions(module: WebAssembly.Module): WebAssembly.Imports {
    const notSupported = 52; // ENOSYS of WASI
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
        if (kind !== "function") throw new Error(`the module imports ${space}.${name}, which is no function`);
        imports[space] ??= {};
        imports[space][name] = name === "emscripten_notify_memory_growth" ? () => undefined : () => notSupported;
    }
    imports["wasi_snapshot_preview1"] ??= {};
    imports["wasi_snapshot_preview1"]["proc_exit"] = (code: number) => {
        throw new Error(`abut stopped with code ${code}: it ran out of memory`);
    };
    return imports;
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
    const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
    if (!isGzip) return bytes;
    const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
}

export class Module {
    private readonly stateNames: string[] = [];

    private constructor(readonly functions: Exports) {}

    /** From the bytes of abut.wasm, compressed by gzip or not. */
    static async load(bytes: Uint8Array): Promise<Module> {
        const module = await WebAssembly.compile((await unpack(bytes)) as BufferSource);
        const instance = await WebAssembly.instantiate(module, hostFunctions(module));
        const functions = instance.exports as Exports;
        functions._initialize();
        return new Module(functions);
    }

    get version(): string {
        return this.text(this.functions.web_version());
    }

    /** The message of the call that failed last. */
    error(): Error {
        return new Error(this.text(this.functions.web_error()));
    }

    // Views of the memory as it is now: memory that grows has new ones.
    floats(pointer: number, count: number): Float32Array {
        return new Float32Array(this.functions.memory.buffer, pointer, count);
    }
    words(pointer: number, count: number): Uint32Array {
        return new Uint32Array(this.functions.memory.buffer, pointer, count);
    }
    bytes(pointer: number, count: number): Uint8Array {
        return new Uint8Array(this.functions.memory.buffer, pointer, count);
    }

    /** "direct", "search", ... of the number of a state. */
    stateName(state: number): string {
        return (this.stateNames[state] ??= this.text(this.functions.web_state_name(state)));
    }

    private text(pointer: number): string {
        const bytes = new Uint8Array(this.functions.memory.buffer, pointer);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }
}

/** Arrays of one call in the module's memory. */
export class Scratch {
    private readonly pointers: number[] = [];
    constructor(private readonly module: Module) {}

    room(bytes: number): number {
        const pointer = this.module.functions.web_allocate(Math.max(bytes, 1));
        this.pointers.push(pointer);
        return pointer;
    }
    floats(values: ArrayLike<number>): number {
        const pointer = this.room(4 * values.length);
        this.module.floats(pointer, values.length).set(values);
        return pointer;
    }
    words(values: ArrayLike<number>): number {
        const pointer = this.room(4 * values.length);
        this.module.words(pointer, values.length).set(values);
        return pointer;
    }
    free(): void {
        for (const pointer of this.pointers.splice(0)) this.module.functions.web_free(pointer);
    }
}
