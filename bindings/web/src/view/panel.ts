// The panel beside the picture: the picked pair's numbers, and the list of found pairs.
import { featureOfA, featureOfB, featureText } from "../abut/feature.js";
import { separationColor } from "../draw/marks.js";
import type { Candidate } from "../scene/candidates.js";
import { doubleText, floatText, vectorText, type PairNumbers } from "../scene/numbers.js";
import type { Answers, Frame, Scene } from "../scene/scene.js";
import { byId, element } from "./elements.js";
import { contactCount, statusOf } from "./search.js";

const maxResults = 200;
const metres = (value: number) => (Number.isFinite(value) ? `${floatText(value)} m` : "none: no triangle takes part");
const doubles = (values: ArrayLike<number>) => vectorText(values, doubleText);

export function kindsOf(scene: Scene, frame: Frame, pair: number): [string, string] {
    const kind = (end: number) => scene.shapes[frame.shapes[frame.pairs[2 * pair + end]]].shape;
    return [kind(0), kind(1)];
}

/** A colour's dot with text after it. */
export const dot = (color: string, text: string): HTMLElement => {
    const made = element("span", "dot");
    made.style.background = color;
    return element("span", "", made, text);
};

/** `candidates`: those that the contacts were chosen from, where they are known. */
export function showNumbers(numbers: PairNumbers, kinds: [string, string], depth: number, gap: number, candidates: Candidate[] | null): void {
    const title = byId("picked-title");
    title.replaceChildren(element("b", "of-a", `A ${numbers.a} ${kinds[0]}`), " ", element("b", "of-b", `B ${numbers.b} ${kinds[1]}`));
    const rows: [string, string][] = [["status", numbers.status]];
    if (numbers.hasAnswer) {
        rows.push(["signed distance", metres(numbers.signedDistance)], ["normal", vectorText(numbers.normal)], ["point A", doubles(numbers.pointA)],
                  ["point B", doubles(numbers.pointB)]);
    }
    byId("numbers").replaceChildren(...rows.map(([name, text]) => element("tr", "", element("th", "", name), element("td", "", text))));
    const count = numbers.contacts.length;
    byId("contacts-title").textContent = count === 0 ? `No contact within ${floatText(gap)} m` : `${count} contact${count > 1 ? "s" : ""}`;
    const others = (candidates?.length ?? 0) - count;
    byId("candidates").hidden = others <= 0;
    byId("candidates-text").textContent = `Kept of ${count + others} candidates, recomputed in this page. Grey: the ${others} not kept.`;
    const head = element("tr", "", ...["separation", "A", "B", "feature", "position"].map((name) => element("th", "", name)));
    byId("contacts").replaceChildren(...(count ? [head] : []), ...numbers.contacts.map((contact) => {
        const color = separationColor(contact.separation, depth, gap).getStyle();
        return element("tr", "", element("td", "", dot(color, floatText(contact.separation))),
                       ...[featureText(featureOfA(contact.feature)), featureText(featureOfB(contact.feature)), String(contact.feature), doubles(contact.position)]
                           .map((text) => element("td", "", text)));
    }));
}

/** `pick` is called with the pair that is clicked. */
export function showResults(scene: Scene, frame: Frame, answers: Answers, pairs: number[], picked: number | null, pick: (pair: number) => void): void {
    byId("results").replaceChildren(...pairs.slice(0, maxResults).map((pair) => {
        const status = statusOf(answers, pair), distance = answers.distances.signedDistance[pair], contacts = contactCount(answers, pair);
        const text = status === "ok" || status === "not_converged" ? (Number.isFinite(distance) ? `${distance.toPrecision(3)} m` : "none") : status;
        const button = element("button", pair === picked ? "is-picked" : "", element("span", "", `${frame.pairs[2 * pair]}–${frame.pairs[2 * pair + 1]}`),
                               element("span", "kinds", kindsOf(scene, frame, pair).join("–") + (contacts ? ` · ${contacts}` : "")), element("span", "number", text));
        button.dataset.pair = String(pair);
        button.addEventListener("click", () => pick(pair));
        return element("li", "", button);
    }));
}
