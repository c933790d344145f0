// The lab in the plane: two shapes that can be dragged and rotated, their Minkowski difference, and GJK and EPA on it.
import { Drawing, outline } from "../plane/drawing.js";
import { hullOf, minus, partsOf, placed, plus, rotated, type PlaneShape, type Vec2 } from "../plane/shapes.js";
import { byId, copyText, element, showNotice } from "../view/elements.js";
import { steps, type Answer, type Step, type Swept } from "./gjk.js";

interface Posed {
    shape: PlaneShape;
    position: Vec2;
    angle: number;
}

const offered: Record<string, PlaneShape> = {
    circle: { shape: "circle", radius: 0.5 },
    capsule: { shape: "capsule", radius: 0.25, half_height: 0.5 },
    segment: { shape: "capsule", radius: 0, half_height: 0.75 },
    box: { shape: "box", half_extents: [0.7, 0.45] },
    triangle: { shape: "polygon", vertices: [[-0.6, -0.4], [0.6, -0.4], [0, 0.7]] },
    hexagon: { shape: "polygon", vertices: [[0.6, 0], [0.3, 0.52], [-0.3, 0.52], [-0.6, 0], [-0.3, -0.52], [0.3, -0.52]] },
};
const firstPair = (): [Posed, Posed] => [{ shape: offered.hexagon, position: [-0.8, 0], angle: 0.2 }, { shape: offered.triangle, position: [0.7, 0.3], angle: 0.5 }];

const lineOf = ([a, b]: [Posed, Posed]) => JSON.stringify({ id: "lab", a: a.shape, a_pos: a.position, a_angle: a.angle, b: b.shape, b_pos: b.position, b_angle: b.angle });

/** Throws an Error if the text is no question about two convex shapes. */
function pairOf(line: string): [Posed, Posed] {
    const q = JSON.parse(line);
    const posed = (shape: PlaneShape, position: Vec2, angle: number): Posed => {
        const given = { shape, position, angle };
        if (![...position, angle].every(Number.isFinite) || position.length !== 2) throw new Error("a number of a pose is missing");
        if (!sweptOf(given).corners.flat().every(Number.isFinite)) throw new Error("a number of a shape is missing");
        return given;
    };
    return [posed(q.a, q.a_pos, q.a_angle), posed(q.b, q.b_pos, q.b_angle)];
}

function sweptOf({ shape, position, angle }: Posed): Swept {
    const parts = partsOf(shape);
    if (parts?.length !== 1 || parts[0].kind !== "convex") throw new Error("the lab has convex shapes only");
    return placed(parts[0], position, angle);
}

class Lab {
    private pair = firstPair();
    private step = 0;
    private steps: Step[] = [];
    private readonly picture = new Drawing(document.getElementById("picture") as unknown as SVGSVGElement);
    private readonly difference = new Drawing(document.getElementById("difference") as unknown as SVGSVGElement);

    constructor() {
        this.connect();
        const address = location.hash;
        this.update();
        this.look();
        this.readAddress(address);
    }

    private look(): void {
        const [a, b] = this.pair.map(sweptOf), differences = a.corners.flatMap((p) => b.corners.map((q) => minus(q, p))), r = a.radius + b.radius;
        const around = (points: Vec2[], by: number) => points.flatMap((p): Vec2[] => [plus(p, [-by, -by]), plus(p, [by, by])]);
        this.picture.look([...around(a.corners, a.radius), ...around(b.corners, b.radius)]);
        this.difference.look([...around(differences, r), [0, 0]]);
    }

    private readAddress(hash: string): void {
        if (hash.length < 2) return;
        try {
            if (this.read(decodeURIComponent(hash.slice(1)))) byId<HTMLTextAreaElement>("line").value = lineOf(this.pair);
        } catch (error) {
            showNotice(`The address holds no pair: ${error instanceof Error ? error.message : error}`, true);
        }
    }

    private update(isTyped = false): void {
        const swept = this.pair.map(sweptOf), { steps: all, answer } = steps(swept[0], swept[1]);
        this.steps = all;
        this.step = Math.min(this.step, all.length - 1);
        byId("notice").hidden = true;
        byId("copied").textContent = "";
        this.drawShapes(answer);
        this.drawDifference(swept[0], swept[1]);
        this.fill(answer);
        if (!isTyped) byId<HTMLTextAreaElement>("line").value = lineOf(this.pair);
        history.replaceState(null, "", `#${encodeURIComponent(lineOf(this.pair))}`);
        this.pair.forEach(({ shape }, i) => {
            byId<HTMLInputElement>(`rounding-${"ab"[i]}`).value = String(shape.rounding ?? 0);
            byId<HTMLSelectElement>(`kind-${"ab"[i]}`).value = Object.keys(offered).find((name) => offered[name].shape === shape.shape && JSON.stringify({ ...offered[name], rounding: 0 }) === JSON.stringify({ ...shape, rounding: 0 })) ?? "";
        });
    }

    private drawShapes({ pointA, pointB, normal }: Answer): void {
        this.picture.clear();
        this.pair.forEach((posed, i) => partsOf(posed.shape).forEach((part) => this.picture.part(placed(part, posed.position, posed.angle), `in-${"ab"[i]}`)));
        this.picture.line(pointA, pointB, "gap");
        for (const at of [pointA, pointB]) this.picture.dot(at, "point", 3.5);
        this.picture.arrow(pointA, normal, "of-pair");
    }

    private drawDifference(a: Swept, b: Swept): void {
        const { difference: drawing } = this, { vertices, nearest, added, kind } = this.steps[this.step], radius = a.radius + b.radius;
        const whole = hullOf(a.corners.flatMap((p) => b.corners.map((q) => minus(q, p))));
        drawing.clear();
        if (radius > 0) drawing.path(outline(whole, radius), "radii");
        drawing.path(`M${whole.map((p) => p.join(" ")).join("L")}z`, "whole");
        drawing.path(`M${vertices.map(({ point }) => point.join(" ")).join("L")}z`, "simplex");
        vertices.forEach(({ point }) => drawing.dot(point, "vertex", 3.5));
        drawing.line([0, 0], nearest, "towards");
        drawing.dot(nearest, "contact", 4);
        if (added) drawing.dot(added.point, "added", 8);
        drawing.dot([0, 0], "origin", 5);
        byId("step-number").textContent = `step ${this.step + 1} of ${this.steps.length} (${kind === "gjk" ? "GJK" : "EPA"})`;
        byId("step-text").textContent = this.steps[this.step].text;
    }

    private fill({ signedDistance, normal, pointA, pointB }: Answer): void {
        const rows = [["signed distance", `${Number(signedDistance.toPrecision(9))} m`], ...[["normal", normal], ["point a", pointA], ["point b", pointB]].map(([name, v]) => [name as string, `[${(v as Vec2).map((x) => Number(x.toPrecision(9))).join(", ")}]`])];
        byId("numbers").replaceChildren(...rows.map(([name, value]) => element("tr", "", element("th", "", name), element("td", "", value))));
    }

    private read(line: string): boolean {
        try {
            this.pair = pairOf(line);
            this.step = 0;
            this.update(true);
            return true;
        } catch (error) {
            showNotice(`This is no question of abut query --2d about convex shapes: ${error instanceof Error ? error.message : error}`, true);
            return false;
        }
    }

    private change(i: number, changes: Partial<Posed>): void {
        this.pair[i] = { ...this.pair[i], ...changes };
        this.update();
    }

    private connect(): void {
        ["a", "b"].forEach((name, i) => {
            const kind = byId<HTMLSelectElement>(`kind-${name}`), rounding = byId<HTMLInputElement>(`rounding-${name}`);
            kind.append(...Object.keys(offered).map((each) => new Option(each)));
            kind.addEventListener("change", () => {
                this.step = 0;
                this.change(i, { shape: offered[kind.value] });
            });
            rounding.addEventListener("input", () => this.change(i, { shape: { ...this.pair[i].shape, rounding: Number(rounding.value) } }));
        });
        const line = byId<HTMLTextAreaElement>("line");
        line.addEventListener("input", () => this.read(line.value));
        for (const [id, change] of [["previous", -1], ["next", 1]] as const) {
            byId(id).addEventListener("click", () => {
                this.step = Math.max(0, Math.min(this.steps.length - 1, this.step + change));
                this.drawDifference(sweptOf(this.pair[0]), sweptOf(this.pair[1]));
            });
        }
        byId("copy-link").addEventListener("click", () => void copyText(location.href));
        window.addEventListener("hashchange", () => this.readAddress(location.hash));
        this.connectDragging(document.getElementById("picture") as unknown as SVGSVGElement);
    }

    private connectDragging(root: SVGSVGElement): void {
        let dragged: number | null = null, last: Vec2 = [0, 0];
        // Before the drawing, which would move as well.
        root.addEventListener("pointerdown", (event) => {
            const target = event.target as Element;
            dragged = target.classList.contains("in-a") ? 0 : target.classList.contains("in-b") ? 1 : null;
            last = this.picture.toWorld(event);
            if (dragged !== null) root.setPointerCapture(event.pointerId);
        }, { capture: true });
        root.addEventListener("pointermove", (event) => {
            if (dragged === null) return;
            event.preventDefault();
            const at = this.picture.toWorld(event), { position, angle } = this.pair[dragged];
            if (event.shiftKey) {
                const [x, y] = rotated(minus(at, position), -Math.atan2(last[1] - position[1], last[0] - position[0]));
                this.change(dragged, { angle: angle + Math.atan2(y, x) });
            } else {
                this.change(dragged, { position: plus(position, minus(at, last)) });
            }
            last = at;
        }, { capture: true });
        for (const type of ["pointerup", "pointercancel"]) root.addEventListener(type, () => { dragged = null; });
    }
}

try {
    new Lab();
    document.body.dataset.ready = "answers";
} catch (error) {
    document.body.dataset.ready = "failed";
    showNotice(`The lab cannot be shown: ${error}`);
}
