import { describe, expect, it } from "@jest/globals";
import { addSample, rateOf, type EmbeddedSample } from "./index-state.ts";

const after = (...samples: [at: number, done: number][]): number | null =>
  rateOf(samples.reduce<EmbeddedSample[]>((all, [at, done]) => addSample(all, { at, done }), []));

describe("the rate of embedding", () => {
  it("is that of the last minute, once there is something to go by", () => {
    expect(after()).toBeNull();
    expect(after([0, 100], [1_000, 200])).toBeNull();
    expect(after([0, 100], [10_000, 100])).toBeNull();
    expect(after([0, 100], [10_000, 200])).toBe(10);
    expect(after([0, 0], [70_000, 700], [80_000, 1_700])).toBe(100);
  });
  it("starts over when documents are re-embedded", () => {
    expect(after([0, 1_000], [5_000, 10], [15_000, 60])).toBe(5);
  });
});
