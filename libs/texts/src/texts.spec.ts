import { languages } from "@carrel/contracts/languages";
import { describe, expect, it } from "@jest/globals";
import { translateForm, translations } from "./form-texts.ts";
import { formTexts } from "./forms/en.ts";
import { findTexts, formatDate, locales, translateCaption } from "./texts.ts";

const placeholders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(languages)("texts in %s", (language) => {
  const english = Object.entries(locales.en) as [keyof typeof locales.en, string][];

  it("are complete, with the placeholders of English", () => {
    expect(Object.keys(locales[language]).sort()).toEqual(Object.keys(locales.en).sort());
    for (const [key, text] of english) {
      expect([key, placeholders(locales[language][key])]).toEqual([key, placeholders(text)]);
      expect(locales[language][key].trim()).not.toBe("");
    }
  });

  it("include what forms say", () => {
    if (language === "en") return;
    expect(Object.keys(translations[language]).sort()).toEqual([...formTexts].sort());
    for (const text of formTexts) expect(translateForm(text, language).trim()).not.toBe("");
  });

  it("aren't English", () => {
    if (language === "en") return;
    for (const text of formTexts.filter((each) => each.endsWith(".")))
      expect(translateForm(text, language)).not.toBe(text);
    const sentences = english.filter(([, text]) => text.includes(". ") || text.endsWith("."));
    for (const [key, text] of sentences) expect(locales[language][key]).not.toBe(text);
  });
});

it("are filled in, with numbers as the language writes them", () => {
  expect(findTexts("de")("exportPage", { page: 1_234 })).toBe("Seite 1.234");
  expect(findTexts("fa")("exportPage", { page: 12 })).toBe("صفحه ۱۲");
  expect(findTexts("fr")("exportWorkspace", { name: "$& {page}" })).toBe("Espace\u00a0: $& {page}");
  expect(findTexts(null)("exportYou")).toBe("You");
});

it("dates are in the language and time zone, or in UTC", () => {
  const noon = new Date("2026-11-30T11:00:00Z");
  expect(formatDate(noon, "de", "Europe/Berlin")).toBe("30. November 2026 um 12:00");
  expect(formatDate(noon, "zh-tw", "Nowhere/At")).toContain("2026年11月30日");
});

it("captions of approvals are translated, and other labels kept", () => {
  expect(translateCaption("Subject", "gmail-agent", "de")).toBe("Betreff");
  expect(translateCaption("To", "gmail-agent", "de")).toBe("An");
  expect(translateCaption("To", "filesystem-agent", "de")).toBe("Nach");
  expect(translateCaption("dateFrom", "gmail-agent", "de")).toBe("dateFrom");
  expect(translateCaption("query", "web-browsing", undefined)).toBe("query");
});
