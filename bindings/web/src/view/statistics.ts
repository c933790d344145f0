// Counts of a frame's answers, for the charts.
import type { Trace } from "../abut/world.js";
import type { Answers, Frame, Scene } from "../scene/scene.js";
import { contactCount } from "./search.js";

export interface FrameCounts {
    overlaps: number;
    contacts: number;
    /** Metres: of the deepest contact; 0 if none overlaps. */
    depth: number;
}

export const mostContacts = 5; // pairs with so many contacts, or more, are counted together

const isOverlap = ({ distances: d }: Answers, pair: number): boolean => d.status[pair] <= 1 && d.signedDistance[pair] <= 0;

export function countsOf(frame: Frame, answers: Answers): FrameCounts {
    let overlaps = 0, depth = 0;
    for (let pair = 0; pair < frame.pairs.length / 2; ++pair) if (isOverlap(answers, pair)) ++overlaps;
    for (const separation of answers.manifolds.separation) depth = Math.max(depth, -separation);
    return { overlaps, contacts: answers.manifolds.separation.length, depth };
}

/** The number of pairs with 0, 1, 2, ... contacts; the last with mostContacts or more. */
export function contactsPerPair(frame: Frame, answers: Answers): number[] {
    const counts = Array<number>(mostContacts + 1).fill(0);
    for (let pair = 0; pair < frame.pairs.length / 2; ++pair) ++counts[Math.min(mostContacts, contactCount(answers, pair))];
    return counts;
}

export interface Bin {
    /** Metres. */
    from: number;
    to: number;
    count: number;
}

/** Contacts by separation: `bins` from -depth to 0, then as many from 0 to the margin. The first bin has the deeper ones too. */
export function separationBins(separations: Float32Array, depth: number, margin: number, bins: number): Bin[] {
    const end = (i: number) => (i <= bins ? (i / bins - 1) * depth : (i / bins - 1) * margin);
    const out = Array.from({ length: 2 * bins }, (_, i): Bin => ({ from: end(i), to: end(i + 1), count: 0 }));
    for (const separation of separations) {
        const at = separation <= 0 ? bins * (1 + separation / (depth || 1)) : bins * (1 + separation / (margin || 1));
        ++out[Math.max(0, Math.min(2 * bins - 1, Math.ceil(at) - 1))].count;
    }
    return out;
}

const mostFrequentFirst = (counts: Map<string, number>): [string, number][] => [...counts].sort((p, q) => q[1] - p[1] || (p[0] < q[0] ? -1 : 1));

/** The number of pairs that each state certified, the most frequent state first. */
export function pairsOfStates(traces: Trace[]): [string, number][] {
    const counts = new Map<string, number>();
    for (const { certifiedBy } of traces) counts.set(certifiedBy, (counts.get(certifiedBy) ?? 0) + 1);
    return mostFrequentFirst(counts);
}

/** The number of pairs of each two kinds, the most frequent first. */
export function pairsOfKinds(scene: Scene, frame: Frame): [string, number][] {
    const counts = new Map<string, number>();
    for (let i = 0; i < frame.pairs.length; i += 2) {
        const kinds = [0, 1].map((end) => scene.shapes[frame.shapes[frame.pairs[i + end]]].shape).sort().join(" ");
        counts.set(kinds, (counts.get(kinds) ?? 0) + 1);
    }
    return mostFrequentFirst(counts);
}
