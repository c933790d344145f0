// Charts as SVG: columns with labels, and a line over frames.

export interface Bar {
    value: number;
    /** Below the column; may be empty. */
    label: string;
    color: string;
    /** Shown while the pointer is over the column. */
    title: string;
}

const width = 316, height = 78, below = 13, above = 12;

function svg(tag: string, attributes: Record<string, string | number>, ...content: (Node | string)[]): SVGElement {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    made.append(...content);
    return made;
}

const compact = (value: number) => (value < 10000 ? value.toLocaleString("en") : `${(value / 1000).toLocaleString("en", { maximumFractionDigits: value < 1e5 ? 1 : 0 })}k`);

/** `withValues`: each column has its value above it; otherwise the highest alone. */
export function columns(bars: Bar[], name: string, withValues: boolean): SVGElement {
    const most = Math.max(1, ...bars.map(({ value }) => value)), step = width / bars.length, gap = Math.min(8, 0.2 * step);
    const room = height - above - below, base = height - below;
    const highest = bars.findIndex(({ value }) => value === most);
    const drawn = bars.flatMap(({ value, label, color, title }, i) => {
        const x = i * step, tall = value > 0 ? Math.max(1.5, (room * value) / most) : 0, middle = { x: x + step / 2, "text-anchor": "middle" };
        return [svg("rect", { x: x + gap / 2, y: base - tall, width: step - gap, height: tall, fill: color, "data-value": value }, svg("title", {}, title)),
                ...((withValues && value > 0) || i === highest ? [svg("text", { ...middle, y: base - tall - 3 }, compact(value))] : []),
                ...(label ? [svg("text", { ...middle, y: height - 2, class: "soft" }, label)] : [])];
    });
    return svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, svg("line", { x1: 0, x2: width, y1: base, y2: base, class: "axis" }), ...drawn);
}

export interface Sample {
    frame: number;
    value: number;
}

/** A line through samples of `frames` frames, with a mark at the present one. `pick` is called with the frame that is clicked. */
export function lineOverFrames(samples: Sample[], frames: number, present: number, name: string, text: (value: number) => string, pick: (frame: number) => void): SVGElement {
    const tall = 44, most = Math.max(...samples.map(({ value }) => value), 0), label = 92;
    const x = (frame: number) => label + 5 + ((width - label - 10) * frame) / Math.max(1, frames - 1);
    const y = (value: number) => tall - 5 - ((tall - 10) * value) / (most || 1);
    const now = samples.find(({ frame }) => frame === present);
    const chart = svg("svg", { viewBox: `0 0 ${width} ${tall}`, role: "img", "aria-label": name, class: "frames" },
        svg("text", { x: 0, y: 15 }, name), svg("text", { x: 0, y: 31, class: "soft" }, now ? text(now.value) : `up to ${text(most)}`),
        svg("line", { x1: label, x2: width, y1: tall - 5, y2: tall - 5, class: "axis" }), svg("line", { x1: x(present), x2: x(present), y1: 0, y2: tall, class: "present" }),
        svg("polyline", { points: samples.map(({ frame, value }) => `${x(frame)},${y(value)}`).join(" ") }),
        ...(samples.length <= 30 || now ? samples.filter((sample) => samples.length <= 30 || sample === now).map((sample) =>
            svg("circle", { cx: x(sample.frame), cy: y(sample.value), r: sample === now ? 3.5 : 2, "data-frame": sample.frame, "data-value": sample.value },
                svg("title", {}, `frame ${sample.frame + 1}: ${text(sample.value)}`))) : []));
    chart.addEventListener("click", (event) => {
        const box = chart.getBoundingClientRect(), at = ((event as MouseEvent).clientX - box.left) * (width / box.width);
        const share = (at - label - 5) / (width - label - 10);
        if (share > -0.05) pick(Math.round(Math.max(0, Math.min(1, share)) * (frames - 1)));
    });
    return chart;
}
