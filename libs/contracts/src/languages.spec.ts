import { expect, it } from "@jest/globals";
import { chooseLanguage, directionOf, knownLanguage, languageTag, languages } from "./languages.ts";

it.each([
  ["de-CH", "de"],
  ["pt_BR", "pt"],
  ["pt-PT", "pt"],
  ["vn", "vi"],
  ["iw", "he"],
  ["zh", "zh"],
  ["zh-Hans-TW", "zh"],
  ["zh_TW", "zh-tw"],
  ["zh-Hant", "zh-tw"],
  ["zh-HK", "zh-tw"],
  ["EN-us", "en"],
  ["xx", null],
  ["english", null],
  ["", null],
  [undefined, null],
])("%s is %s", (tag, language) => {
  expect(knownLanguage(tag)).toBe(language);
});

it("chooses the first known one, else English", () => {
  expect(chooseLanguage([null, "xx", "fr-CA", "de"])).toBe("fr");
  expect(chooseLanguage(["xx"])).toBe("en");
});

it("gives tags and directions that Intl knows", () => {
  expect(Intl.getCanonicalLocales(languages.map(languageTag))).toHaveLength(17);
  expect(languages.filter((each) => directionOf(each) === "rtl")).toEqual(["ar", "fa", "he"]);
});
