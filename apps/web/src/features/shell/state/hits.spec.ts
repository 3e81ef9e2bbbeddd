import { describe, expect, it } from "@jest/globals";
import { includesAll, splitHits, wordsOf } from "./hits.ts";

describe("search words", () => {
  it("highlights in any case and order, the longer of two overlapping words first, and keeps all text", () => {
    const text = "Flow temperature: low FLOW, (a+b) temperatures";
    const pieces = splitHits(text, wordsOf("flow low temperature"));
    expect(pieces.map((piece) => piece.text).join("")).toBe(text);
    expect(pieces.filter((piece) => piece.hit).map((piece) => piece.text)).toEqual([
      "Flow",
      "temperature",
      "low",
      "FLOW",
      "temperature",
    ]);
  });
  it("are not treated as patterns", () => {
    expect(
      splitHits("(a+b)* a.b [x", wordsOf("(a+b)* a.b [x"))
        .filter((piece) => piece.hit)
        .map((piece) => piece.text),
    ).toEqual(["(a+b)*", "a.b", "[x"]);
    expect(splitHits("nothing", [])).toEqual([{ text: "nothing", hit: false }]);
  });
  it("must all match", () => {
    expect([
      includesAll("Flow temperature", wordsOf("temp flow")),
      includesAll("Flow temperature", wordsOf("flow night")),
      includesAll("Anything", []),
    ]).toEqual([true, false, true]);
  });
});
