import type { TokenCount } from "@carrel/providers";
import { costOf, noMedia, totalCost } from "./call-cost.ts";

const none: TokenCount = { input: 0, cached: 0, output: 0, reasoning: 0, isEstimated: false };
const tokens: TokenCount = { ...none, input: 1_000, cached: 400, output: 100 };

describe("a call", () => {
  it("costs what the vendor charges for tokens, less for cached ones", () => {
    expect(costOf({ input: 2, cachedInput: 0.5, output: 8 }, tokens)).toEqual({
      input: 1_400,
      output: 800,
    });
    expect(costOf({ input: 2, output: 8 }, tokens)).toEqual({ input: 2_000, output: 800 });
    expect(totalCost({ input: 0.02 }, { ...none, input: 500 }, noMedia)).toBe(10);
  });

  it("costs what its characters or its minutes cost", () => {
    expect(totalCost({ characters: 15 }, none, { ...noMedia, characters: 200 })).toBe(3_000);
    expect(totalCost({ audioMinutes: 0.006 }, none, { ...noMedia, audioMs: 30_000 })).toBe(3_000);
    expect(totalCost({ input: 6, output: 10 }, tokens, { ...noMedia, audioMs: 30_000 })).toBe(
      7_000,
    );
  });

  it("has an unknown cost without the price of what it used", () => {
    expect(costOf({ input: 2 }, tokens)).toBeNull();
    expect(totalCost({ input: 2, output: 8 }, none, { ...noMedia, characters: 1 })).toBeNull();
    expect(totalCost({ input: 2, output: 8 }, none, { ...noMedia, audioMs: 1 })).toBeNull();
    expect(totalCost({ characters: 15 }, tokens, noMedia)).toBeNull();
  });
});
