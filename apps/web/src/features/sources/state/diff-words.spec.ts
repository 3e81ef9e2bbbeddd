import type { DiffLine } from "@carrel/contracts";
import { describe, expect, it } from "@jest/globals";
import { diffWords } from "./diff-words.ts";

/** "-one" is removed, "+one" added. */
const lines = (...texts: string[]): DiffLine[] =>
  texts.map((text) => ({
    kind: text.startsWith("-") ? "removed" : text.startsWith("+") ? "added" : "same",
    text: text.replace(/^[-+]/, ""),
  }));
const signs = { same: "", removed: "-", added: "+" };
/** Lines as text, with changed words in brackets. */
const shown = (...texts: string[]): string[] =>
  diffWords(lines(...texts)).map(
    ({ kind, parts }) =>
      signs[kind] + parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join(""),
  );

describe("the words that changed", () => {
  it("are marked in a line and in the one that replaces it", () => {
    expect(
      shown(
        "Tariffs",
        "-From 1 May the night rate is 18 ct.",
        "+From 1 June the night rate is 19 ct.",
      ),
    ).toEqual([
      "Tariffs",
      "-From 1 [May] the night rate is [18] ct.",
      "+From 1 [June] the night rate is [19] ct.",
    ]);
  });
  it("aren't marked in lines that have little in common, or no counterpart", () => {
    const changes = [
      "-One two",
      "+Something else",
      "same",
      "-a b",
      "+a c",
      "+a d",
      "same",
      "+new",
      "",
    ];
    expect(shown(...changes)).toEqual(changes);
  });
  it("keep the order of several replaced lines", () => {
    expect(shown("-rate a 1", "-rate b 2", "+rate a 3", "+rate b 4")).toEqual([
      "-rate a [1]",
      "-rate b [2]",
      "+rate a [3]",
      "+rate b [4]",
    ]);
  });
});
