import { describe, expect, it } from "@jest/globals";
import i18next from "i18next";
import { chooseLanguage, codesOf, languageName, textLoader } from "./languages.ts";

describe("languages", () => {
  it("are the folders of texts, English first", () => {
    expect(codesOf([])).toEqual(["en"]);
    expect(
      codesOf(["../locales/fr/chat.json", "../locales/de/chat.json", "../locales/de/common.json"]),
    ).toEqual(["en", "de", "fr"]);
  });
  it("are named in the language itself", () => {
    expect(languageName("en")).toBe("English");
    expect(languageName("fr")).toBe("Français");
  });
  it("are chosen from the profile, then the browser, else English", () => {
    expect(chooseLanguage([null, "fr-CA", "de"], ["en", "de", "fr"])).toBe("fr");
    expect(chooseLanguage(["pt-BR", "pt"], ["en", "pt-BR"])).toBe("pt-BR");
    expect(chooseLanguage(["xx", undefined], ["en", "de"])).toBe("en");
  });
  it("load an area when it is first used, and fall back to English text by text", async () => {
    const loaded: string[] = [];
    const file = (area: string, texts: Record<string, unknown>) => () => {
      loaded.push(area);
      return Promise.resolve(texts);
    };
    const instance = i18next.createInstance();
    await instance
      .use(
        textLoader({
          "../locales/de/common.json": file("common", { save: "Speichern" }),
          "../locales/de/chat.json": file("chat", { send: "Senden" }),
        }),
      )
      .init({
        lng: "de",
        fallbackLng: "en",
        ns: ["common"],
        defaultNS: "common",
        partialBundledLanguages: true,
        resources: { en: { common: { save: "Save", cancel: "Cancel" } } },
      });
    const t = instance.t as (key: string) => string;
    expect([t("save"), t("cancel"), loaded]).toEqual(["Speichern", "Cancel", ["common"]]);
    await instance.loadNamespaces("chat");
    expect([t("chat:send"), loaded]).toEqual(["Senden", ["common", "chat"]]);
  });
});
