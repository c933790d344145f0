// The shapes that the lab offers.
import type { Shape } from "../abut/shapes.js";

const quat: [number, number, number, number] = [0, 0, 0, 1];

export const offered: Record<string, Shape> = {
    sphere: { shape: "sphere", radius: 0.5 },
    capsule: { shape: "capsule", radius: 0.3, half_height: 0.45 },
    box: { shape: "box", half_extents: [0.5, 0.35, 0.6] },
    cylinder: { shape: "cylinder", radius: 0.45, half_height: 0.5 },
    cone: { shape: "cone", radius: 0.5, half_height: 0.55 },
    ellipsoid: { shape: "ellipsoid", radii: [0.7, 0.35, 0.45] },
    hull: { shape: "hull", vertices: [[-0.5, -0.4, -0.5], [0.5, -0.4, -0.5], [0.5, -0.4, 0.5], [-0.5, -0.4, 0.5], [0, 0.6, 0], [0.6, 0.1, 0]] },
    compound: { shape: "compound", children: [{ shape: { shape: "capsule", radius: 0.15, half_height: 0.5 }, pos: [0, 0, 0], quat },
                                              { shape: { shape: "box", half_extents: [0.45, 0.12, 0.25] }, pos: [0, 0.55, 0], quat }] },
    halfspace: { shape: "halfspace", normal: [0, 1, 0], offset: -0.4 },
    mesh: { shape: "mesh", sides: "both", vertices: [[-1, -0.2, -1], [1, -0.2, -1], [1, 0, 1], [-1, 0, 1], [0, 0.5, 0]], triangles: [[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]] },
    heightfield: { shape: "heightfield", sides: "both", rows: 3, columns: 3, spacing: [0.8, 0.8], heights: [0, 0.2, 0, 0.1, -0.2, 0.3, 0, 0.1, 0] },
};

const notConvex = ["compound", "halfspace", "mesh", "heightfield"];
export const isConvex = (shape: Shape): boolean => !notConvex.includes(shape.shape);
