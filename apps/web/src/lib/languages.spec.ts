import { expect, it } from "@jest/globals";
import { namedLanguages } from "./languages.ts";

it("names each language in itself", () => {
  const names = Object.fromEntries(namedLanguages.map(({ code, name }) => [code, name]));
  expect(Object.keys(names)).toHaveLength(17);
  expect(names).toMatchObject({
    en: "English",
    de: "Deutsch",
    fr: "Français",
    pt: "Português (Brasil)",
    zh: "简体中文",
    "zh-tw": "繁體中文",
  });
});
