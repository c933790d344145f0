// The search box: "12" is a body, "12 40" a pair; names of kinds, of statuses and of states that certified a distance, "deepest", "contact" and "apart" narrow the list down.
import { statusNames, type Status } from "../abut/world.js";
import type { Answers, Frame, Scene } from "../scene/scene.js";

export interface Found {
    /** Indices of pairs, the deepest first. */
    pairs: number[];
    /** Words that mean nothing here. */
    unknown: string[];
}

const kinds = ["sphere", "capsule", "box", "hull", "cylinder", "cone", "ellipsoid", "halfspace", "compound", "mesh", "heightfield"];

export function statusOf(answers: Answers, pair: number): Status {
    const status = answers.distances.status[pair];
    return statusNames[status === 0 ? answers.manifolds.status[pair] : status];
}

export const contactCount = ({ manifolds: m }: Answers, pair: number): number => {
    let count = 0;
    for (let i = m.firstManifold[pair]; i < m.firstManifold[pair + 1]; ++i) count += m.contactCount[i];
    return count;
};

/** The pair's two bodies include those of `wanted`, each once. */
function includes(present: (string | number)[], wanted: (string | number)[]): boolean {
    const left = [...present];
    return wanted.every((item) => {
        const at = left.indexOf(item);
        if (at >= 0) left.splice(at, 1);
        return at >= 0;
    });
}

export function search(text: string, scene: Scene, frame: Frame, answers: Answers): Found {
    const words = text.toLowerCase().split(/[\s,–-]+/).filter(Boolean);
    const bodies = words.filter((word) => /^\d+$/.test(word)).map(Number);
    const wantedKinds = words.filter((word) => kinds.includes(word));
    const statuses = words.filter((word) => (statusNames as readonly string[]).includes(word));
    const { traces } = answers.distances, ofFrame = new Set(traces?.map(({ certifiedBy }) => certifiedBy)), states = words.filter((word) => ofFrame.has(word));
    const known = [...wantedKinds, ...statuses, ...states, "deepest", "contact", "contacts", "apart"];
    const unknown = words.filter((word) => !/^\d+$/.test(word) && !known.includes(word));
    const wantsContact = words.includes("contact") || words.includes("contacts");
    const pairs: number[] = [];
    for (let pair = 0; pair < frame.pairs.length / 2; ++pair) {
        const a = frame.pairs[2 * pair], b = frame.pairs[2 * pair + 1];
        if (!includes([a, b], bodies)) continue;
        if (wantedKinds.length > 0 && !includes([a, b].map((body) => scene.shapes[frame.shapes[body]].shape), wantedKinds)) continue;
        if (statuses.length > 0 && !statuses.includes(statusOf(answers, pair))) continue;
        if (states.length > 0 && !states.includes(traces![pair].certifiedBy)) continue;
        if (wantsContact && contactCount(answers, pair) === 0) continue;
        if (words.includes("apart") && !(answers.distances.signedDistance[pair] > 0)) continue;
        pairs.push(pair);
    }
    const distance = answers.distances.signedDistance;
    pairs.sort((p, q) => distance[p] - distance[q] || p - q);
    return { pairs, unknown };
}
