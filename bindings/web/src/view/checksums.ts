// The checksums of all frames, to compare this browser with `abut replay --checksum` on another machine.
import { Checksum, sumText } from "../scene/checksum.js";
import { sumsOf, type Answerer, type Scene } from "../scene/scene.js";
import { byId, element } from "./elements.js";

const queries = ["overlap", "distance", "collide"];

export class Checksums {
    constructor(private readonly scene: Scene, private readonly answerer: Answerer) {
        byId("checksums").hidden = !!scene.robot || scene.frames[0].line !== undefined; // what `abut replay` reads none of
        byId("compute-checksums").addEventListener("click", () => void this.compute());
    }

    /** Frame by frame, so that the page stays responsive. */
    private async compute(): Promise<void> {
        const { frames } = this.scene, text = byId("checksum-text"), all = queries.map(() => new Checksum()), written = queries.map(() => new Checksum());
        for (const [i, frame] of frames.entries()) {
            text.textContent = `frame ${i + 1} of ${frames.length}`;
            await new Promise((resolve) => setTimeout(resolve, 0));
            const sums = sumsOf(this.answerer.answers(frame, false));
            sums.forEach((sum, k) => all[k].addLong(BigInt(`0x${sum}`)));
            frame.sums?.forEach((sum, k) => written[k].addLong(BigInt(`0x${sum}`)));
        }
        text.textContent = all.every((sum, k) => sum.value === written[k].value) ? "Equal to those of the program that wrote this page." : "They differ from those of the program that wrote this page: this is a bug of abut.";
        byId("checksum-rows").replaceChildren(...queries.map((query, k) => element("tr", "", element("th", "", query), element("td", "", sumText(all[k].value)))));
        document.body.dataset.checksums = "complete";
    }
}
