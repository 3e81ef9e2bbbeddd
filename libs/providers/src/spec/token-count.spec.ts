import { describe, expect, it } from "@jest/globals";
import { countTokens } from "./token-count.ts";

describe("tokens of a call", () => {
  it("are the vendor's counts", () => {
    const usage = { inputTokens: 10, outputTokens: 20, cachedInputTokens: 4, reasoningTokens: 5 };
    expect(countTokens(usage, "a long prompt", "a long answer")).toEqual({
      input: 10,
      cached: 4,
      output: 20,
      reasoning: 5,
      isEstimated: false,
    });
  });

  it("are estimated if the vendor reports none", () => {
    expect(countTokens(null, "x".repeat(40), "y".repeat(8))).toEqual({
      input: 10,
      cached: 0,
      output: 2,
      reasoning: 0,
      isEstimated: true,
    });
  });
});
