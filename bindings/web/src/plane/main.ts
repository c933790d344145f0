// The page of `abut view --2d`: questions of the plane and the answers that the program gave, one picture each.
import { byId, copyText, element, showNotice } from "../view/elements.js";
import { Drawing } from "./drawing.js";
import { partsOf, placed, plus, type Part, type PlaneShape, type Vec2 } from "./shapes.js";

interface Contact {
    position: Vec2;
    separation: number;
    feature: number;
    normal: Vec2;
    child_a?: number;
    child_b?: number;
}

/** A line of `abut query --2d`, and the line that it prints. Of a bad line the question is its text. */
interface Pair {
    question: any;
    answer: { id: unknown; status: string; message?: string; signed_distance?: number | null; contacts?: Contact[]; [field: string]: any };
}

interface Scene {
    title: string;
    version: string;
    query: "distance" | "cast" | "ray" | "point";
    margin: number;
    pairs: Pair[];
}

const scene: Scene = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(byId("abut-scene").textContent!.trim()), (c) => c.charCodeAt(0))));
const drawing = new Drawing(document.getElementById("picture") as unknown as SVGSVGElement);
let shown = 0, order = [...scene.pairs.keys()];

const bodyAt = (shape: PlaneShape, position: Vec2, angle: number): Part[] => partsOf(shape).map((part) => placed(part, position, angle));
const between = (from: number, to: number, time: number) => from + time * (to - from);

/** The parts of a body of a question, at a time of its motion. */
function partsAt(question: any, body: "a" | "b", time: number): Part[] {
    const position: Vec2 = question[`${body}_pos`], angle: number = question[`${body}_angle`];
    const end: Vec2 = question[`${body}_end_pos`] ?? position, endAngle: number = question[`${body}_end_angle`] ?? angle;
    return bodyAt(question[body], [between(position[0], end[0], time), between(position[1], end[1], time)], between(angle, endAngle, time));
}

/** What the picture must show of parts. */
const reach = (parts: Part[]): Vec2[] => parts.filter(({ kind }) => kind !== "halfplane").flatMap(({ corners, radius }) => corners.flatMap((p): Vec2[] => [plus(p, [-radius, -radius]), plus(p, [radius, radius])]));

function drawBodies(question: any, times: number[], time: number): Vec2[] {
    const points: Vec2[] = [];
    for (const body of ["a", "b"] as const) {
        if (!question[body]) continue;
        for (const t of times) {
            const parts = partsAt(question, body, t);
            parts.forEach((part) => drawing.part(part, t === time ? `in-${body}` : `in-${body} is-pale`));
            points.push(...reach(parts));
            if (t === time) drawing.text(parts[0].corners[0], body.toUpperCase(), `of-${body}`);
        }
    }
    return points;
}

function draw(): void {
    const { question, answer } = scene.pairs[shown];
    drawing.clear();
    if (typeof question !== "object" || answer.status === "bad_input" || answer.status === "bad_shape" || answer.status === "bad_pose") return drawing.look([]);
    const time = scene.query === "cast" ? answer.time ?? 0 : 0;
    const points = drawBodies(question, scene.query === "cast" ? [...new Set([0, time, 1])] : [0], time);
    if (answer.point_a) {
        drawing.line(answer.point_a, answer.point_b, "gap");
        for (const at of [answer.point_a, answer.point_b]) drawing.dot(at, "point", 3.5);
        drawing.arrow(answer.point_a, answer.normal, "of-pair");
        points.push(answer.point_a, answer.point_b);
    }
    for (const contact of answer.contacts ?? []) {
        drawing.arrow(contact.position, contact.normal, "of-contact", 26);
        drawing.dot(contact.position, "contact", 4.5);
        points.push(contact.position);
    }
    if (scene.query === "ray") {
        const end = plus(question.origin, question.direction);
        drawing.line(question.origin, end, "ray");
        drawing.dot(question.origin, "point", 3);
        points.push(question.origin, end);
        if (answer.point) drawing.dot(answer.point, "contact");
        if (answer.normal) drawing.arrow(answer.point, answer.normal, "of-contact");
    }
    if (scene.query === "point") {
        drawing.dot(question.point, "point");
        points.push(question.point);
        if (answer.nearest) drawing.line(question.point, answer.nearest, "gap");
        if (answer.normal) drawing.arrow(answer.nearest, answer.normal, "of-pair");
    }
    drawing.look(points);
}

const text = (value: unknown): string => (Array.isArray(value) ? `[${value.map(text).join(", ")}]` : String(value));

/** A feature's corners: A's in the high half, B's in the low. */
const corner = (half: number) => (half === 0xffff ? "–" : String(half));

function fill(): void {
    const { question, answer } = scene.pairs[shown];
    byId("asked").textContent = `${answer.id ?? `line ${shown + 1}`}: ${answer.status}`;
    const rows = Object.entries(answer).filter(([name, value]) => !["id", "status", "contacts"].includes(name) && value !== undefined);
    byId("numbers").replaceChildren(...rows.map(([name, value]) => element("tr", "", element("th", "", name.replaceAll("_", " ")), element("td", "", text(value) + (name === "signed_distance" ? " m" : "")))));
    const contacts = answer.contacts ?? [], cells = (tag: "td" | "th", all: string[]) => element("tr", "", ...all.map((each) => element(tag, "", each)));
    byId("contacts-title").textContent = scene.query === "distance" ? `${contacts.length} contacts within ${scene.margin} m` : "";
    byId("contacts").replaceChildren(...(contacts.length ? [cells("th", ["separation", "position", "corners", "children"])] : []),
        ...contacts.map((c) => cells("td", [c.separation.toPrecision(6), c.position.map((x) => x.toPrecision(6)).join(", "), `${corner(c.feature >>> 16)} ${corner(c.feature & 0xffff)}`, "child_a" in c ? `${c.child_a} ${c.child_b}` : ""])));
    byId<HTMLTextAreaElement>("line").value = typeof question === "string" ? question : JSON.stringify(question);
    byId("copied").textContent = "";
    byId("frame-text").textContent = `${shown + 1} of ${scene.pairs.length}`;
    byId<HTMLInputElement>("frame").value = String(shown);
    for (const button of byId("results").querySelectorAll("button")) button.classList.toggle("is-picked", button.dataset.pair === String(shown));
}

function show(pair: number): void {
    shown = Math.max(0, Math.min(scene.pairs.length - 1, pair));
    draw();
    fill();
}

function list(): void {
    const most = 2000; // entries; the slider reaches the others
    byId("results").replaceChildren(...order.slice(0, most).map((i) => {
        const { question, answer } = scene.pairs[i], kinds = typeof question === "object" ? [question?.a?.shape, question?.b?.shape].filter(Boolean).join(" ") : "";
        const number = answer.signed_distance ?? answer.time ?? answer.fraction, button = element("button", "", element("span", "", String(answer.id ?? i + 1)), element("span", "kinds", kinds), element("span", "number", number === undefined || number === null ? answer.status : Number(number).toPrecision(4)));
        button.dataset.pair = String(i);
        button.addEventListener("click", () => show(i));
        return element("li", "", button);
    }));
}

function sort(isDeepestFirst: boolean): void {
    const depth = (i: number) => scene.pairs[i].answer.signed_distance ?? Infinity;
    order = [...scene.pairs.keys()];
    if (isDeepestFirst) order.sort((i, k) => depth(i) - depth(k) || i - k);
    list();
    show(order[0]);
}

function begin(): void {
    const refused = scene.pairs.filter(({ answer }) => !["ok", "not_converged"].includes(answer.status)).length;
    document.title = byId("title").textContent = scene.title;
    byId("summary").textContent = `${scene.pairs.length.toLocaleString("en")} questions${refused ? `, ${refused} without an answer` : ""} · ${scene.query} · abut ${scene.version}`;
    byId<HTMLInputElement>("frame").max = String(scene.pairs.length - 1);
    byId("frame").addEventListener("input", () => show(Number(byId<HTMLInputElement>("frame").value)));
    byId("previous").addEventListener("click", () => show(shown - 1));
    byId("next").addEventListener("click", () => show(shown + 1));
    byId("fit").addEventListener("click", draw);
    byId("order-lines").addEventListener("click", () => sort(false));
    byId("order-deepest").addEventListener("click", () => sort(true));
    byId("copy-question").addEventListener("click", () => copyText(byId<HTMLTextAreaElement>("line").value));
    byId("copy-answer").addEventListener("click", () => copyText(JSON.stringify(scene.pairs[shown].answer)));
    document.addEventListener("keydown", (event) => {
        if (event.key === "ArrowLeft") show(shown - 1);
        if (event.key === "ArrowRight") show(shown + 1);
        if (event.key === "f") draw();
    });
    list();
    show(0);
    document.body.dataset.ready = "answers";
}

try {
    begin();
} catch (error) {
    document.body.dataset.ready = "failed";
    showNotice(`The page cannot be shown: ${error}`);
}
