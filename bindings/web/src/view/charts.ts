// The charts of the panel: the present frame's contacts and pairs, and counts over all frames.
import { separationColor } from "../draw/marks.js";
import type { Answerer, Answers, Frame, Scene } from "../scene/scene.js";
import { columns, lineOverFrames, type Bar } from "./drawing.js";
import { byId, element } from "./elements.js";
import { contactsPerPair, countsOf, mostContacts, pairsOfKinds, pairsOfStates, separationBins, type FrameCounts } from "./statistics.js";

const binsEachWay = 12;
const mostKinds = 6;
const mostSamples = 60; // frames that are computed for the lines
const pairColor = "#8aa3c0";

export interface ChartActions {
    /** Puts text into the search box. */
    search(text: string): void;
    setFrame(index: number): void;
}

const millimetres = (metres: number) => `${Number((1000 * metres).toPrecision(2))} mm`;
const count = (n: number, one: string) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

export class Charts {
    private readonly samples = new Map<number, FrameCounts>();
    private present = 0;

    constructor(private readonly scene: Scene, private readonly answerer: Answerer, private readonly actions: ChartActions) {
        byId("frame-charts").hidden = scene.frames.length < 2;
    }

    /** Counts the frames one by one, so that the page stays responsive. At most mostSamples of them, evenly spread. */
    async sampleFrames(): Promise<void> {
        const last = this.scene.frames.length - 1, samples = Math.min(last, mostSamples - 1);
        for (let i = 0; last > 0 && i <= samples; ++i) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            const index = Math.round((i * last) / samples), frame = this.scene.frames[index];
            if (!this.samples.has(index)) this.samples.set(index, countsOf(frame, this.answerer.answers(frame, false)));
            this.showFrames();
        }
        document.body.dataset.charts = "complete";
    }

    /** `depth`: that of the legend, metres. */
    show(index: number, frame: Frame, answers: Answers, depth: number): void {
        this.present = index;
        if (this.scene.frames.length > 1) this.samples.set(index, countsOf(frame, answers));
        byId("chart-separation").replaceChildren(this.separations(answers, depth));
        byId("chart-contacts").replaceChildren(this.contacts(frame, answers));
        byId("chart-kinds").replaceChildren(...this.kinds(frame));
        byId("chart-states").replaceChildren(...this.states(answers));
        this.showFrames();
    }

    private separations(answers: Answers, depth: number): Node {
        const { margin } = this.scene, label = [millimetres(depth), "touching", millimetres(margin)];
        const bins = separationBins(answers.manifolds.separation, depth, margin, binsEachWay);
        const chart = columns(bins.map(({ from, to, count: value }, i): Bar => ({
            value, label: "", color: separationColor((from + to) / 2, depth, margin).getStyle(),
            title: `${count(value, "contact")}: ${i === 0 ? "" : `${millimetres(from)} to `}${millimetres(to)}${i === 0 ? " and deeper" : ""}`,
        })), "Contacts by separation", false);
        return element("div", "", chart, element("div", "ends", ...label.map((text, i) => element("span", "", ["", text, `${text} apart`][i] || `${text} deep`))));
    }

    private contacts(frame: Frame, answers: Answers): Node {
        const pairs = contactsPerPair(frame, answers), shown = pairs[mostContacts] > 0 ? pairs : pairs.slice(0, mostContacts);
        return columns(shown.map((value, i): Bar => {
            const label = i === mostContacts ? `${i} or more` : String(i);
            return { value, label, color: pairColor, title: `${count(value, "pair")} with ${label} contacts` };
        }), "Pairs by number of contacts", true);
    }

    private kinds(frame: Frame): Node[] {
        return this.rows(pairsOfKinds(this.scene, frame).slice(0, mostKinds), (names) => names.replace(" ", "–"), (names) => `Find pairs of ${names}`);
    }

    private states({ distances, manifolds }: Answers): Node[] {
        const ofContacts = new Map(pairsOfStates(manifolds.traces ?? []));
        return this.rows(pairsOfStates(distances.traces ?? []), (state) => state, (state) => `Find pairs whose distance ${state} certified. It certified the contacts of ${count(ofContacts.get(state) ?? 0, "pair")}.`);
    }

    /** A bar for each name; a click searches for it. */
    private rows(counts: [string, number][], label: (name: string) => string, title: (name: string) => string): Node[] {
        return counts.map(([name, value]) => {
            const bar = element("span", "bar"), row = element("button", "", element("span", "", label(name)), element("span", "", bar), element("span", "number", value.toLocaleString("en")));
            bar.style.width = `${(100 * value) / counts[0][1]}%`;
            row.title = title(name);
            row.addEventListener("click", () => this.actions.search(name));
            return row;
        });
    }

    private showFrames(): void {
        const samples = [...this.samples].sort(([p], [q]) => p - q), frames = this.scene.frames.length;
        if (frames < 2) return;
        const line = (name: string, of: keyof FrameCounts, text: (value: number) => string) =>
            lineOverFrames(samples.map(([frame, counts]) => ({ frame, value: counts[of] })), frames, this.present, name, text, this.actions.setFrame);
        byId("chart-frames").replaceChildren(line("contacts", "contacts", (value) => value.toLocaleString("en")), line("overlaps", "overlaps", (value) => value.toLocaleString("en")),
                                             line("greatest depth", "depth", millimetres));
    }
}
