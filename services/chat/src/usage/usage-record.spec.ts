import { instancePrincipal } from "@carrel/contracts";
import type { TokenCount, LanguageModel, StreamPart } from "@carrel/providers";
import { expect, it } from "@jest/globals";
import { costOf, noMedia, totalCost, writeText, type UsageRecord } from "./usage-record.ts";

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

const end: StreamPart = { type: "finish", reason: "stop", usage: null };
const text = (piece: string): StreamPart => ({ type: "text-delta", text: piece });

it.each<[string, StreamPart[], string]>([
  ["text", [text("A "), text("title"), end], "A title"],
  ["reasoning", [{ type: "reasoning-delta", text: "Hm." }, text("A title"), end], "A title"],
  [
    "late reasoning",
    [text("Hm."), { type: "text-was-reasoning" }, text("A title"), end],
    "A title",
  ],
  ["reasoning without an end", [text("Hm, "), text("so it goes on and on"), end], ""],
])("%s", async (_name, parts, written) => {
  const uses: UsageRecord[] = [];
  const model = {
    model: "m",
    async *stream() {
      yield* parts;
    },
  } as unknown as LanguageModel;
  const result = await writeText({
    model,
    call: {
      system: "",
      messages: [],
      temperature: null,
      signal: new AbortController().signal,
    },
    maxCharacters: 12,
    purpose: "title",
    findPrice: () => null,
    provider: "p",
    principal: instancePrincipal,
    onUse: (use) => {
      uses.push(use);
      return Promise.resolve();
    },
  });
  expect([result, uses.length]).toEqual([written, 1]);
});
