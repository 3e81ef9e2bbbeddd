import { describe, expect, it } from "@jest/globals";
import { collectFootnotes, footnotesOf, isDefinition } from "./footnotes.ts";
import { splitBlocks } from "./split-blocks.ts";

const blocksOf = (text: string): string[] => splitBlocks(text, null, false).blocks;
const collect = (text: string, growing = false) =>
  [...collectFootnotes(blocksOf(text), growing)].map(([label, { number, text: words }]) => [
    label,
    number,
    words?.trim() ?? null,
  ]);

describe("footnotes", () => {
  it("are numbered in the order of their first reference, whatever their labels", () =>
    expect(
      collect("One[^b], two[^A].\n\nAgain[^b].\n\n[^a]: First.\n\n[^b]: Second\n    line."),
    ).toEqual([
      ["b", 1, "Second\nline."],
      ["a", 2, "First."],
    ]));
  it("need a definition, except numbers while the text grows", () => {
    expect(collect("One[^1], two[^2] and [^x].\n\n[^2]: Two.")).toEqual([["2", 1, "Two."]]);
    expect(collect("One[^1], two[^2] and [^x].", true)).toEqual([
      ["1", 1, null],
      ["2", 2, null],
    ]);
  });
  it("are listed even if nothing refers to them", () =>
    expect(collect("Nothing.\n\n[^1]: Alone.")).toEqual([["1", 1, "Alone."]]));
  it("aren't looked for in code", () => {
    const blocks = blocksOf("```js\n/[^1]/\n```\n\n[^1]: One.");
    expect(footnotesOf(blocks[0]!, collectFootnotes(blocks, false))).toBe("");
    expect(blocks.map(isDefinition)).toEqual([false, true]);
  });
});
