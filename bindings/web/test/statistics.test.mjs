// The counts behind the charts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pairsOfStates, separationBins } from "../build/test/view/statistics.js";

test("contacts by separation: equal bins down to the depth and up to the margin, and the first has the deeper ones", () => {
    const separations = Float32Array.of(-0.5, -0.09, -0.04, -0.03, -0.001, 0, 0.004, 0.011, 0.012, 0.02);
    const bins = separationBins(separations, 0.1, 0.02, 2);
    assert.deepEqual(bins.map(({ from, to }) => [from, to]), [[-0.1, -0.05], [-0.05, 0], [0, 0.01], [0.01, 0.02]]);
    assert.deepEqual(bins.map(({ count }) => count), [2, 4, 1, 3]);
    assert.equal(separationBins(Float32Array.of(-0.009), 0.1, 0.02, 10)[9].count, 1);
    assert.deepEqual(separationBins(Float32Array.of(0, 0.01), 0, 0.02, 1).map(({ count }) => count), [1, 1]);
});

test("pairs by the state that certified them: the most frequent first, then by name", () => {
    const traces = ["search", "exact", "direct", "search"].map((certifiedBy) => ({ states: [certifiedBy], iterations: 0, certifiedBy }));
    assert.deepEqual(pairsOfStates(traces), [["search", 2], ["direct", 1], ["exact", 1]]);
    assert.deepEqual(pairsOfStates([]), []);
});
