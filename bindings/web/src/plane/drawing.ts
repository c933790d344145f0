// Drawings of the plane as SVG: y up, lines of equal width at every zoom, moved and zoomed by the pointer.
import { dot, minus, plus, rightOf, type Part, type Vec2 } from "./shapes.js";

export type Attributes = Record<string, string | number>;

export function svg(tag: string, attributes: Attributes = {}, ...content: (Node | string)[]): SVGElement {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
    made.append(...content);
    return made;
}

const far = 1e4; // of the picture's size: half-planes end there

/** The outline of a convex core swept by a circle: edges moved outwards, arcs about the corners. */
export function outline(corners: Vec2[], radius: number): string {
    if (corners.length === 1) {
        const [x, y] = corners[0];
        return `M${x - radius} ${y}a${radius} ${radius} 0 0 0 ${2 * radius} 0a${radius} ${radius} 0 0 0 ${-2 * radius} 0z`;
    }
    const moved = corners.map((from, i): [Vec2, Vec2] => {
        const to = corners[(i + 1) % corners.length], out = rightOf(minus(to, from));
        return [plus(from, out, radius), plus(to, out, radius)];
    });
    const last = moved.at(-1)![1];
    return `M${last.join(" ")}${moved.map(([from, to]) => `A${radius} ${radius} 0 0 1 ${from.join(" ")}L${to.join(" ")}`).join("")}z`;
}

/** A point with the picture's scale: marks keep their size on the screen. */
export class Drawing {
    private readonly world = svg("g");
    private readonly marks = svg("g");
    private scale = 100; // pixels per metre
    private center: Vec2 = [0, 0];
    private placedMarks: { node: SVGElement; at: Vec2; angle: number }[] = [];

    constructor(private readonly root: SVGSVGElement, private readonly redrawn: () => void = () => {}) {
        root.append(this.world, this.marks);
        root.addEventListener("wheel", (event) => {
            event.preventDefault();
            const at = this.toWorld(event), by = Math.exp(-0.0015 * event.deltaY);
            this.scale *= by;
            this.center = plus(at, minus(this.center, at), 1 / by);
            this.place();
        }, { passive: false });
        root.addEventListener("pointermove", (event) => {
            if (event.buttons !== 1 || event.defaultPrevented) return;
            this.center = plus(this.center, [-event.movementX / this.scale, event.movementY / this.scale]);
            this.place();
        });
        new ResizeObserver(() => this.place()).observe(root);
    }

    clear(): void {
        this.world.replaceChildren();
        this.marks.replaceChildren();
        this.placedMarks = [];
    }

    /** Fits these points into the picture, with room around them. */
    look(points: Vec2[]): void {
        const finite = points.filter((p) => p.every(Number.isFinite));
        if (finite.length === 0) finite.push([-1, -1], [1, 1]);
        const low = [0, 1].map((k) => Math.min(...finite.map((p) => p[k]))), high = [0, 1].map((k) => Math.max(...finite.map((p) => p[k])));
        const size = this.size(), extent = Math.max((high[0] - low[0]) / size[0], (high[1] - low[1]) / size[1], 1e-12);
        this.center = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
        this.scale = 0.7 / extent;
        this.place();
    }

    path(d: string, classes: string, more: Attributes = {}): SVGElement {
        const made = svg("path", { d, class: classes, "vector-effect": "non-scaling-stroke", ...more });
        this.world.append(made);
        return made;
    }

    line(from: Vec2, to: Vec2, classes: string): SVGElement {
        return this.path(`M${from.join(" ")}L${to.join(" ")}`, classes);
    }

    part(part: Part, classes: string): void {
        const { kind, corners, radius, normal } = part;
        if (kind === "convex") {
            this.path(outline(corners, radius), `shape ${classes}`);
            if (radius > 0 && corners.length > 1) this.path(`M${corners.map((p) => p.join(" ")).join("L")}z`, `core ${classes}`);
        } else if (kind === "halfplane") {
            const out = plus(corners[0], normal, radius), along: Vec2 = [normal[1], -normal[0]], size = far * Math.max(...this.size()) / this.scale;
            const ends = [plus(out, along, size), plus(out, along, -size)];
            this.path(`M${[...ends, plus(ends[1], normal, -size), plus(ends[0], normal, -size)].map((p) => p.join(" ")).join("L")}z`, `shape ${classes}`);
        } else {
            this.chain(part, classes);
        }
    }

    /** Text or a mark of fixed size at a point; `angle` turns it, counter-clockwise. */
    mark(node: SVGElement, at: Vec2, angle = 0): SVGElement {
        this.marks.append(node);
        this.placedMarks.push({ node, at, angle });
        this.placeMark(this.placedMarks.at(-1)!);
        return node;
    }

    dot(at: Vec2, classes: string, r = 4): SVGElement {
        return this.mark(svg("circle", { r, class: classes }), at);
    }

    /** An arrow of so many pixels. */
    arrow(at: Vec2, along: Vec2, classes: string, length = 34): SVGElement {
        return this.mark(svg("path", { d: `M0 0H${length}m-8 -4l8 4l-8 4`, class: `arrow ${classes}` }), at, Math.atan2(along[1], along[0]));
    }

    text(at: Vec2, text: string, classes: string): SVGElement {
        return this.mark(svg("g", {}, svg("text", { class: classes, x: 8, y: -6 }, text)), at);
    }

    toWorld(event: { clientX: number; clientY: number }): Vec2 {
        const box = this.root.getBoundingClientRect(), [width, height] = this.size();
        return [this.center[0] + (event.clientX - box.left - width / 2) / this.scale, this.center[1] - (event.clientY - box.top - height / 2) / this.scale];
    }

    private chain({ corners, radius, loop }: Part, classes: string): void {
        const count = corners.length - (loop ? 0 : 1);
        for (let i = 0; i < count; ++i) {
            const from = corners[i], to = corners[(i + 1) % corners.length], along = minus(to, from), right = rightOf(along);
            if (dot(along, along) === 0) continue;
            if (radius > 0) this.path(outline([from, to], radius), `shape ${classes}`);
            this.line(from, to, `chain ${classes}`);
            this.mark(svg("path", { d: "M-6 6H6M0 0V6", class: `tick ${classes}` }), plus(from, along, 0.5), Math.atan2(-right[0], right[1]) + Math.PI);
        }
    }

    private size(): Vec2 {
        return [this.root.clientWidth || 800, this.root.clientHeight || 600];
    }

    private placeMark({ node, at, angle }: { node: SVGElement; at: Vec2; angle: number }): void {
        const [width, height] = this.size(), x = width / 2 + (at[0] - this.center[0]) * this.scale, y = height / 2 - (at[1] - this.center[1]) * this.scale;
        node.setAttribute("transform", `translate(${x} ${y}) rotate(${(-angle * 180) / Math.PI})`);
    }

    private place(): void {
        const [width, height] = this.size(), s = this.scale;
        this.world.setAttribute("transform", `translate(${width / 2} ${height / 2}) scale(${s} ${-s}) translate(${-this.center[0]} ${-this.center[1]})`);
        this.placedMarks.forEach((mark) => this.placeMark(mark));
        this.redrawn();
    }
}
