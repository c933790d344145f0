// What the halves of a contact's feature name; include/abut/results.hpp lists the numbers of each shape.

export interface Feature {
    type: "vertex" | "edge" | "face";
    /** The vertex, the face, or the two ends of the edge. */
    indices: number[];
}

/** One half, 16 bits. The ends of an edge are right for hulls of up to 128 vertices. */
export function decodeFeature(half: number): Feature {
    const index = half & 0x3fff;
    if (half & 0x8000) return { type: "face", indices: [index] };
    if (half & 0x4000) return { type: "edge", indices: [index >> 7, index & 127] };
    return { type: "vertex", indices: [index] };
}

export const featureOfA = (feature: number): Feature => decodeFeature(feature >>> 16);
export const featureOfB = (feature: number): Feature => decodeFeature(feature & 0xffff);
export const featureText = (feature: Feature): string => `${feature.type} ${feature.indices.join("-")}`;
