import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { languages } from "@carrel/contracts/languages";
import { findTexts } from "@carrel/texts";
import { describe, expect, it } from "@jest/globals";
import { staleKeys, translatedInto } from "./origins.ts";
import { formsOf, localesFolder, parametersOf, readEnglish, readTexts, tagsOf } from "./texts.ts";
import { unusedKeys } from "./unused.ts";

const english = readEnglish();
/** English texts that a language leaves as they are: names, loan words, examples. */
const loanWords = JSON.parse(readFileSync(join(localesFolder, "loan-words.json"), "utf8")) as {
  all: string[];
} & Record<string, string[]>;

/** Parameters that any form of the text uses. */
const allParameters = (forms: Record<string, string>): string[] =>
  [...new Set(Object.values(forms).flatMap(parametersOf))].toSorted();

it("there is a folder for each language", () => {
  const folders = readdirSync(localesFolder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(folders.toSorted()).toEqual([...languages].toSorted());
});

it("each English text is used", () => {
  expect(unusedKeys()).toEqual([]);
});

describe.each(translatedInto)("the texts in %s", (language) => {
  const texts = readTexts(language);

  it("have the keys of the English texts", () => {
    expect([...english.keys()].filter((key) => !texts.has(key))).toEqual([]);
    expect([...texts.keys()].filter((key) => !english.has(key))).toEqual([]);
  });

  it("match the current English (./carrel translations)", () => {
    expect(staleKeys(language, english)).toEqual([]);
  });

  it("have the plural forms of the language", () => {
    const wrong = [...texts].flatMap(([key, text]) => {
      const forms = formsOf(language, key, english.get(key)!);
      const present = Object.keys(text).toSorted();
      return forms.join() === present.join() ? [] : [`${key}: ${present.join()}`];
    });
    expect(wrong).toEqual([]);
  });

  it("have the parameters and tags of the English texts", () => {
    const wrong = [...texts].flatMap(([key, text]) => {
      const source = english.get(key)!;
      const all = allParameters(source);
      // "One document" and "no documents" need no number.
      const needed = "" in source ? all : all.filter((name) => name !== "count");
      const tags = tagsOf(Object.values(source).at(-1)!).join();
      const isWrong = Object.entries(text).some(([form, words]) => {
        const own = parametersOf(words);
        return (
          words.trim() === "" ||
          own.some((name) => !all.includes(name)) ||
          (["", "other"].includes(form) && needed.some((name) => !own.includes(name))) ||
          tagsOf(words).join() !== tags
        );
      });
      return isWrong ? [`${key}: ${Object.values(text).join(" | ")}`] : [];
    });
    expect(wrong).toEqual([]);
  });

  it("show the default refusal as the server writes it", () => {
    expect(texts.get("workspace:refusalDefault")).toEqual({
      "": findTexts(language)("refusal"),
    });
  });

  it("differ from English, except for loan words", () => {
    const allowed = new Set([...loanWords.all, ...(loanWords[language] ?? [])]);
    const same = [...texts].flatMap(([key, text]) =>
      Object.values(text).filter(
        (form) => Object.values(english.get(key)!).includes(form) && !allowed.has(form),
      ),
    );
    expect([...new Set(same)]).toEqual([]);
  });

  it("follow the typography of the language", () => {
    const faults = Object.entries(typography[language] ?? {}).flatMap(([fault, pattern]) =>
      [...texts].flatMap(([key, text]) =>
        // Code and parameters have their own.
        Object.values(text).some((form) => pattern.test(form.replace(/\{\{.*?\}\}|<[^>]*>/g, "")))
          ? [`${fault}: ${key}`]
          : [],
      ),
    );
    expect(faults).toEqual([]);
  });
});

/** What is wrong in a language, by the pattern that finds it. */
const typography: Record<string, Record<string, RegExp>> = {
  de: { "not „…“": /”/, "three dots": /\.\.\./ },
  fr: {
    "no narrow space": /\p{L}[;!?]|\p{L} [;!?]|«\S|\S»/u,
    "straight apostrophe": /\p{L}'\p{L}/u,
  },
  es: { "no opening mark": /^[^¿]*\?$/ },
  ru: { "straight quotes": /"/ },
  zh: { "half-width mark": /\p{Script=Han}[,;!?]/u },
  "zh-tw": { "half-width mark": /\p{Script=Han}[,;!?]/u, "quotes of zh": /[“”]/ },
  ar: { "Latin mark": /\p{Script=Arabic}[,;?]/u },
  fa: { "Latin mark": /\p{Script=Arabic}[,;?]/u },
};
