import { describe, expect, it } from "@jest/globals";
import { findQuote, findQuotes } from "./find-quote.ts";
import { splitAtPassage } from "./passage.ts";

const passage =
  "4.3 Emitters\n\nAt a flow temperature of 48 °C, 78 % of the installed radia\u00adtors\ncover the room load. The remaining  22 % are in corner\nrooms. Mrs. Albers sells **two** tokens.";
const quoted = (words: string): string | null => {
  const range = findQuote(passage, words);
  return range && passage.slice(range.start, range.end);
};

describe("quotes in a passage", () => {
  it("are found exactly across line breaks, double spaces and soft hyphens", () => {
    expect(
      quoted(
        "At a flow temperature of 48 °C, 78 % of the installed radiators cover the room load.",
      ),
    ).toBe(
      "At a flow temperature of 48 °C, 78 % of the installed radia\u00adtors\ncover the room load.",
    );
    expect(quoted("The remaining 22 % are in corner rooms.")).toBe(
      "The remaining  22 % are in corner\nrooms.",
    );
  });
  it("include their full stop when the citation comes before it", () =>
    expect(quoted("78 % of the installed radiators cover the room load")).toBe(
      "78 % of the installed radia\u00adtors\ncover the room load.",
    ));
  it("are found without their Markdown", () =>
    expect(quoted("Mrs. Albers sells two tokens.")).toBe("Mrs. Albers sells **two** tokens."));
  it("may be only the last sentences, or the text in quotation marks", () => {
    expect(quoted("It is clear. The remaining 22 % are in corner rooms.")).toBe(
      "The remaining  22 % are in corner\nrooms.",
    );
    expect(
      quoted("The survey says that “the remaining 22 %” and “are in corner rooms” belong together"),
    ).toBe("are in corner\nrooms.");
  });
  it("are not found when paraphrased, when they end inside a word, or when they are too short", () => {
    expect(quoted("Four fifths of the radiators are large enough.")).toBeNull();
    expect(quoted("the room load. The remaining 2")).toBeNull();
    expect(quoted("the room")).toBeNull();
    expect(quoted("")).toBeNull();
  });
  it("may be shorter in scripts where a character is a word", () =>
    expect(findQuote("茶农采茶。地铁全程需要四十分钟。", "四十分钟")).toEqual({
      start: 11,
      end: 16,
    }));
  it("are merged when they overlap, and use character offsets of the document", () => {
    expect(
      findQuotes("One two three four. Five six seven eight.", 100, [
        "Five six seven eight.",
        "One two three four.",
        "three four. Five six",
        "nothing of it",
      ]),
    ).toEqual([{ start: 100, end: 141 }]);
    expect(
      findQuotes("One two three. Four five six.", 10, ["Four five six.", "One two three."]),
    ).toEqual([
      { start: 10, end: 24 },
      { start: 25, end: 39 },
    ]);
  });
});

describe("a text split at a passage and its quotes", () => {
  it("separates the passage, its quotes and the surrounding text", () => {
    expect(
      splitAtPassage("abcdefghij", 100, { start: 102, end: 108 }, [
        { start: 103, end: 105 },
        { start: 106, end: 107 },
      ]),
    ).toEqual({
      before: "ab",
      passage: [
        { text: "c", quoted: false },
        { text: "de", quoted: true },
        { text: "f", quoted: false },
        { text: "g", quoted: true },
        { text: "h", quoted: false },
      ],
      after: "ij",
    });
  });
  it("marks the whole passage if nothing is quoted, and nothing if there is no passage", () => {
    expect(splitAtPassage("abcdef", 0, { start: 2, end: 4 }, [])).toEqual({
      before: "ab",
      passage: [{ text: "cd", quoted: true }],
      after: "ef",
    });
    expect(splitAtPassage("abc", 0, { start: 0, end: 0 }, [])).toEqual({
      before: "",
      passage: [],
      after: "abc",
    });
  });
});
