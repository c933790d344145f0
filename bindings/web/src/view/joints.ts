// Sliders for the joints of a robot, and its nearest two bodies.
import { frameOf, type Robot } from "../scene/robot.js";
import type { Answers, Frame } from "../scene/scene.js";
import { byId, element } from "./elements.js";

const steps = 1000;

export class Joints {
    private readonly sliders: HTMLInputElement[];

    constructor(private readonly robot: Robot, show: (frame: Frame) => void) {
        byId("joints").hidden = false;
        this.sliders = robot.values.map(({ name, lower, upper, unit }) => {
            const slider = element("input", ""), number = element("output", "");
            Object.assign(slider, { type: "range", min: String(lower), max: String(upper), step: String((upper - lower) / steps || 1), ariaLabel: name });
            const tell = () => { number.textContent = `${Number(slider.value).toFixed(3)} ${unit}`; };
            slider.addEventListener("input", () => {
                tell();
                show(frameOf(robot, this.sliders.map(({ value }) => Number(value))));
            });
            slider.addEventListener("change", tell);
            byId("sliders").append(element("label", "", element("span", "", name), slider, number));
            return slider;
        });
        this.reset();
        byId("reset-joints").addEventListener("click", () => {
            this.reset();
            show(frameOf(robot, robot.values.map(({ value }) => value)));
        });
    }

    showNearest(frame: Frame, { distances: d }: Answers): void {
        let least = -1;
        d.signedDistance.forEach((distance, i) => {
            if (d.status[i] <= 1 && (least < 0 || distance < d.signedDistance[least])) least = i;
        });
        if (least < 0) return;
        const name = (end: number) => this.robot.bodies[frame.pairs[2 * least + end]].name, distance = d.signedDistance[least];
        byId("nearest").textContent = `${distance <= 0 ? "overlap" : "nearest"}: ${name(0)} – ${name(1)}, ${distance.toFixed(4)} m`;
    }

    private reset(): void {
        this.robot.values.forEach(({ value }, i) => {
            this.sliders[i].value = String(value);
            this.sliders[i].dispatchEvent(new Event("change"));
        });
    }
}
