import { describe, expect, it } from "@jest/globals";
import { cleanTitle, readTitles } from "./title.module.ts";

describe("readTitles", () => {
  it("reads numbered lines, in any order and with markup", () =>
    expect(readTitles('Here they are:\n2) **Second one**\n1. "First one."\n', 2)).toEqual([
      "First one",
      "Second one",
    ]));
  it("leaves out titles that are missing, unusable or not requested", () =>
    expect(readTitles("1. First\n3: …\n4. Fourth\n1. Other", 3)).toEqual(["First", null, null]));
  it("accepts a single title without a number", () => {
    expect(readTitles('"Flow of the pump"\nMore', 1)).toEqual(["Flow of the pump"]);
    expect(readTitles("1. Flow of the pump", 1)).toEqual(["Flow of the pump"]);
    expect(readTitles("", 1)).toEqual([null]);
  });
  it("doesn't guess which of several conversations an unnumbered title belongs to", () =>
    expect(readTitles("Flow of the pump", 2)).toEqual([null, null]));
});

describe("cleanTitle", () => {
  it.each([
    ['"Flow temperature of heat pumps."', "Flow temperature of heat pumps"],
    ["Title: **Heizung im Winter**\n\nHere is why…", "Heizung im Winter"],
    ["\n“Wärmepumpen”", "Wärmepumpen"],
    ["one two three four five six seven eight", "one two three four five six"],
    ["「熱ポンプの温度」", "熱ポンプの温度"],
    [`a${"b".repeat(500)}`, `a${"b".repeat(59)}`],
    ["Pumps\u0000 and\u202e more", "Pumps and more"],
    ["People's choice [1]", "People's choice"],
  ])("%j becomes %j", (written, title) => expect(cleanTitle(written)).toBe(title));
  it.each(["", "  \n ", '"""', "…"])("%j yields no title", (written) =>
    expect(cleanTitle(written)).toBeNull(),
  );
});
