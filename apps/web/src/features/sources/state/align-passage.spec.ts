import { describe, expect, it } from "@jest/globals";
import { alignPassage } from "./align-passage.ts";

/** The parts of the page where a passage, or a part of it, is found. */
function found(page: string, passage: string, part = passage, hint = 0): string[] | null {
  const alignment = alignPassage(page, passage, hint);
  const start = passage.indexOf(part);
  return (
    alignment
      ?.rangesOf(start, start + part.length)
      .map((each) => page.slice(each.start, each.end)) ?? null
  );
}
const page = [
  "Waste",
  "Glass is collected on the second Tuesday of the month. The bins stand behind the bicycle shed.",
  "Paper is collected on the first Monday of the month.",
].join("\n");

describe("a passage in a rendered page", () => {
  it("is found across markup, white space and blocks", () => {
    expect(
      found(page, "## Waste\n\nGlass  is **collected** on\nthe second Tuesday of the month."),
    ).toEqual(["Waste", "Glass is collected on the second Tuesday of the month."]);
    expect(found("Die Heiz\u00adung läuft.", "Die Heizung läuft.")).toEqual([
      "Die Heiz\u00adung läuft.",
    ]);
  });
  it("gives the place of each quote in it", () =>
    expect(found(page, page, "The bins stand behind the bicycle shed.")).toEqual([
      "The bins stand behind the bicycle shed.",
    ]));
  it("is found in the cells of its rows, without the repeated column names", () => {
    const table = "Flow\nFactor\n55 °C\n2.9\n48 °C\n3.4\n42 °C\n3.7";
    expect(found(table, "Flow: 48 °C\nFactor: 3.4\n\nFlow: 42 °C\nFactor: 3.7")).toEqual([
      "48 °C",
      "3.4",
      "42 °C",
      "3.7",
    ]);
  });
  it("is found at its place if it occurs more than once", () => {
    const twice = `${page}\n${"Other words in between. ".repeat(200)}\n${page}`;
    const sentence = "Paper is collected on the first Monday of the month.";
    const at = (hint: number): number =>
      alignPassage(twice, sentence, hint)!.rangesOf(0, sentence.length)[0]!.start;
    expect(at(0)).toBe(twice.indexOf(sentence));
    expect(at(1)).toBe(twice.lastIndexOf(sentence));
  });
  it("doesn't mark frequent words elsewhere", () =>
    expect(
      found(
        "The end of the month is near, says the caretaker.\nNothing.\nGlass is collected on Tuesday.",
        "the Glass is collected on Tuesday.",
      ),
    ).toEqual(["Glass is collected on Tuesday."]));
  it("is found in scripts without spaces", () =>
    expect(found("茶农采茶。\n地铁全程需要四十分钟。", "地铁全程需要四十分钟。")).toEqual([
      "地铁全程需要四十分钟。",
    ]));
  it("isn't found where it isn't", () => {
    expect(found(page, "The tunnel is closed for maintenance until spring.")).toBeNull();
    expect(found("", "Glass")).toBeNull();
    expect(found(page, "—")).toBeNull();
  });
});
