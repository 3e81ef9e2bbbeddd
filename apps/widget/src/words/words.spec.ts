import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { english } from "./english.ts";
import { languages } from "./language.ts";

const folder = join(import.meta.dirname, "../../public/locales");

describe("strings of other languages", () => {
  it("each language has a file", () => {
    expect(readdirSync(folder).sort()).toEqual(languages.map((each) => `${each}.json`).sort());
  });
  it.each(languages)("%s has every string, translated", (language) => {
    const strings = JSON.parse(readFileSync(join(folder, `${language}.json`), "utf8")) as Record<
      string,
      string
    >;
    expect(Object.keys(strings)).toEqual(Object.keys(english));
    const same = Object.entries(english).filter(([key, text]) => strings[key] === text);
    // Words that a language shares with English.
    expect(same.filter(([, text]) => !["Assistant", "Sources"].includes(text))).toEqual([]);
    expect(Object.values(strings).filter((text) => text === "" || text !== text.trim())).toEqual(
      [],
    );
    // Buttons and labels have little room. Either all languages have a final period or ellipsis, or
    // none.
    const odd = Object.entries(english).filter(
      ([key, text]) =>
        strings[key]!.length > Math.max(40, 1.7 * text.length) ||
        strings[key]!.endsWith("…") !== text.endsWith("…") ||
        /[.。]$/.test(strings[key]!) !== text.endsWith("."),
    );
    expect(odd.map(([key]) => [key, strings[key]])).toEqual([]);
  });
});
