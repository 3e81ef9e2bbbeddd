import { expect, it } from "@jest/globals";
import { chooseLanguage, readAccepted } from "./request-language.ts";

it.each([
  ["the client's", { "x-language": "de-CH", "accept-language": "fr" }, "es", "de"],
  ["the profile's, if the client's isn't ours", { "x-language": "ja" }, "es", "es"],
  ["the profile's before the browser's", { "accept-language": "fr" }, "es", "es"],
  ["the browser's", { "accept-language": "fr" }, undefined, "fr"],
  ["none", {}, undefined, null],
] as const)("the language is %s", (_, headers, language, chosen) => {
  expect(chooseLanguage(headers, language === undefined ? {} : { language })).toBe(chosen);
});

it.each([
  [undefined, null],
  ["*", null],
  ["ja, ko;q=0.5", "ko"],
  ["en;q=0.7, pt-BR;q=0.9,*;q=0.1", "pt"],
  ["zh-Hant-HK;q=0.8, nl;q=0", "zh-tw"],
  ["de;q=nonsense", null],
  [`${"x,".repeat(200)}de`, null],
])("%j accepts %j", (header, language) => {
  expect(readAccepted(header)).toBe(language);
});
