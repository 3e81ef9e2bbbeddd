import { describe, expect, it } from "@jest/globals";
import { splitSpeech } from "./speech.module.ts";

const sentence = "The heat pump in the cellar runs at a flow temperature of 48 degrees.";

describe("splitSpeech", () => {
  it("begins with a short piece and ends every piece with a sentence", () => {
    const pieces = splitSpeech(Array(40).fill(sentence).join(" "), 4_096);
    expect(pieces[0]).toBe(`${sentence} ${sentence}`);
    expect(pieces.length).toBe(4);
    for (const piece of pieces) expect(piece).toMatch(/^The.*degrees\.$/);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(1_200);
    expect(pieces.join(" ")).toBe(Array(40).fill(sentence).join(" "));
  });

  it("cuts sentences that a vendor would reject at spaces, and words if they must be", () => {
    expect(splitSpeech("one two three four", 9)).toEqual(["one two", "three", "four"]);
    expect(splitSpeech("abcdefghij", 4)).toEqual(["abcd", "efgh", "ij"]);
  });

  it("leaves out line breaks", () => {
    expect(splitSpeech("One\n\ntwo.  Three.", 100)).toEqual(["One two. Three."]);
    expect(splitSpeech(" \n ", 100)).toEqual([]);
  });
});
