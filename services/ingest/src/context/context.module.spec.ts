import { describe, expect, it } from "@jest/globals";
import { fitReply, wholeCharacters } from "./context.module.ts";

describe("reply size", () => {
  it.each([
    ["plain", "abcdef", 4, 4],
    ["all of it", "abc", 99, 3],
    ["two bytes each", "éééé", 5, 2],
    ["three bytes each", "日本語", 6, 2],
    ["escaped", '""""', 5, 2],
    ["control characters", "\n\n\n", 12, 2],
    ["never half a character", "a😀b", 4, 1],
    ["nothing", "abc", 0, 0],
  ])("%s", (_name, text, bytes, units) => {
    expect(fitReply(text, bytes)).toBe(units);
  });

  it("never exceeds its size as JSON", () => {
    const text = 'Zürich "naïve" 日本\u0001\n\t\\ 😀😀 end '.repeat(50);
    for (const bytes of [1, 10, 99, 500, 1_000])
      expect(
        Buffer.byteLength(JSON.stringify(text.slice(0, fitReply(text, bytes)))) - 2,
      ).toBeLessThanOrEqual(bytes);
  });

  it("keeps surrogate pairs whole", () => {
    expect(wholeCharacters("a😀b", 2)).toBe(1);
    expect(wholeCharacters("a😀b", 3)).toBe(3);
    expect(wholeCharacters("a😀", 3)).toBe(3);
  });
});
