// Shapes as docs/formats.md spells them, and how the module takes them. Metres; right-handed; axes along local Y.
import { Module, Scratch } from "./module.js";

export type Vec3 = [number, number, number];
/** x, y, z, w */
export type Quat = [number, number, number, number];

interface Swept {
    /** The shape swept by a sphere of this radius. */
    rounding?: number;
    /** Applied before the rounding. Boxes, hulls, ellipsoids, meshes and height fields may have one factor for each axis. */
    scale?: number | Vec3;
    /** The pose in the body's frame (of a child: in the child's), after scale and rounding. */
    pos?: Vec3;
    quat?: Quat;
    axis?: "y";
}
export interface Sphere extends Swept { shape: "sphere"; radius: number; }
/** `half_height`: of a capsule half the segment, without the caps. */
export interface Upright extends Swept { shape: "capsule" | "cylinder" | "cone"; radius: number; half_height: number; }
export interface Box extends Swept { shape: "box"; half_extents: Vec3; }
export interface Ellipsoid extends Swept { shape: "ellipsoid"; radii: Vec3; }
export interface Hull extends Swept { shape: "hull"; vertices: Vec3[]; }
/** Solid where normal . x <= offset. */
export interface Halfspace extends Swept { shape: "halfspace"; normal: Vec3; offset: number; }
export interface Child { shape: Shape; pos: Vec3; quat: Quat; }
export interface Compound extends Swept { shape: "compound"; children: Child[]; }
/** Triangles are counter-clockwise seen from outside. */
export interface Mesh extends Swept { shape: "mesh"; vertices: Vec3[]; triangles: Vec3[]; sides?: "front" | "both"; solid?: boolean; }
/** Sample (r, c) is at (c * spacing[0], height, r * spacing[1]); null is a hole. `cells`: for each cell or for all, 1 for a hole, 2 for the other diagonal. */
export interface Heightfield extends Swept {
    shape: "heightfield"; rows: number; columns: number; spacing: [number, number]; heights: (number | null)[]; sides?: "front" | "both";
    cells?: number | number[];
    /** Metres below the triangles that are solid. */
    thickness?: number | "Infinity";
}
export type Shape = Sphere | Upright | Box | Ellipsoid | Hull | Halfspace | Compound | Mesh | Heightfield;
export type Kind = Shape["shape"];

const kindNumbers: Record<Kind, number> = {
    sphere: 0, capsule: 1, box: 2, hull: 3, cylinder: 4, cone: 5, ellipsoid: 6, halfspace: 8, compound: 9, mesh: 10, heightfield: 11,
};
const childWords = 10;
export const noShape = 0xffffffff;

/** The flags of a height field's cells: of each, of all, or none. */
export function cellsOf(shape: Heightfield): number[] {
    return [shape.cells ?? []].flat();
}

export function scaleOf(shape: Shape): Vec3 {
    const scale = shape.scale ?? 1;
    return typeof scale === "number" ? [scale, scale, scale] : scale;
}

function lengthsOf(shape: Shape): number[] {
    switch (shape.shape) {
        case "sphere": return [shape.radius];
        case "capsule": case "cylinder": case "cone": return [shape.radius, shape.half_height];
        case "box": return shape.half_extents;
        case "ellipsoid": return shape.radii;
        case "halfspace": return [...shape.normal, shape.offset];
        case "heightfield": return [...shape.spacing, Number(shape.thickness ?? 0)];
        default: return [];
    }
}

function addCompound(module: Module, world: number, scratch: Scratch, numbers: number, children: Child[]): number {
    const ids = children.map((child) => addShape(module, world, child.shape));
    try {
        if (ids.includes(noShape)) return noShape;
        const pointer = scratch.room(4 * childWords * children.length);
        const words = module.words(pointer, childWords * children.length).fill(0);
        const floats = module.floats(pointer, childWords * children.length);
        children.forEach((child, i) => {
            words[childWords * i] = ids[i];
            floats.set([...child.pos, ...child.quat], childWords * i + 1);
        });
        return module.functions.web_add_compound(world, numbers, pointer, children.length);
    } finally {
        for (const id of ids) if (id !== noShape) module.functions.web_remove(world, id); // the compound keeps what it needs
    }
}

/** The new shape's id; noShape where the library refuses it. */
export function addShape(module: Module, world: number, shape: Shape): number {
    const scratch = new Scratch(module);
    const call = module.functions;
    try {
        if (!(shape.shape in kindNumbers)) throw new Error(`no shape is called "${shape.shape}"`);
        const lengths = lengthsOf(shape);
        const numbers = scratch.floats([shape.rounding ?? 0, ...scaleOf(shape), ...lengths, ...Array(6 - lengths.length).fill(0),
                                        ...(shape.pos ?? [0, 0, 0]), ...(shape.quat ?? [0, 0, 0, 1])]);
        switch (shape.shape) {
            case "hull":
                return call.web_add_hull(world, numbers, scratch.floats(shape.vertices.flat()), shape.vertices.length) >>> 0;
            case "compound":
                return addCompound(module, world, scratch, numbers, shape.children) >>> 0;
            case "mesh":
                return call.web_add_mesh(world, numbers, shape.sides === "both" ? 1 : 0, shape.solid ? 1 : 0, scratch.floats(shape.vertices.flat()), shape.vertices.length,
                                         scratch.words(shape.triangles.flat()), shape.triangles.length) >>> 0;
            case "heightfield": {
                if (shape.heights.length !== shape.rows * shape.columns) throw new Error("heights has not rows * columns samples");
                const cells = cellsOf(shape);
                return call.web_add_heightfield(world, numbers, shape.sides === "both" ? 1 : 0, scratch.floats(shape.heights.map((y) => y ?? NaN)),
                                                shape.rows, shape.columns, scratch.words(cells), cells.length) >>> 0;
            }
            default:
                return call.web_add_shape(world, kindNumbers[shape.shape], numbers) >>> 0;
        }
    } finally {
        scratch.free();
    }
}
