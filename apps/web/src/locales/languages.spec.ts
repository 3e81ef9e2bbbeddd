import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCatalogue } from "@carrel/contracts/error-catalogue";
import { describe, expect, it } from "@jest/globals";

const here = import.meta.dirname;
const languages = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** A language's texts by file and key, such as `chat:message.count_one`. */
function readTexts(language: string): Map<string, string> {
  const texts = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    if (typeof value === "string") texts.set(path, value);
    else
      for (const [key, inner] of Object.entries(value as object))
        add(path.endsWith(":") ? path + key : `${path}.${key}`, inner);
  };
  for (const file of readdirSync(join(here, language)))
    add(
      `${basename(file, ".json")}:`,
      JSON.parse(readFileSync(join(here, language, file), "utf8")),
    );
  return texts;
}

const pluralForm = /_(?:zero|one|two|few|many|other)$/;
const placeholders = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!))].toSorted();

/** What the app's own English says, and the server's where the app has no text for an error. */
const english = readTexts("en");
const expected = new Map(english);
for (const [code, { message }] of Object.entries(errorCatalogue))
  if (!expected.has(`errors:${code}`)) expected.set(`errors:${code}`, message);
/** English texts without the plural form, and the parameters that any form of them uses. */
const parameters = new Map<string, string[]>();
for (const [key, text] of expected) {
  const base = key.replace(pluralForm, "");
  parameters.set(
    base,
    [...new Set([...(parameters.get(base) ?? []), ...placeholders(text)])].toSorted(),
  );
}

describe.each(languages)("the texts in %s", (language) => {
  const texts = language === "en" ? english : readTexts(language);
  const plurals = new Map<string, string[]>();
  for (const key of texts.keys()) {
    const base = key.replace(pluralForm, "");
    if (base !== key)
      plurals.set(base, [...(plurals.get(base) ?? []), key.slice(base.length + 1)].toSorted());
  }

  it("have no key or code of an error that English lacks", () => {
    const unknown = [...texts.keys()].filter((key) => !parameters.has(key.replace(pluralForm, "")));
    expect(unknown).toEqual([]);
  });
  it("use only the parameters that the English text uses", () => {
    const others = [...texts].flatMap(([key, text]) => {
      const known = parameters.get(key.replace(pluralForm, "")) ?? [];
      return placeholders(text)
        .filter((name) => !known.includes(name))
        .map((name) => `${key}: ${name}`);
    });
    expect(others).toEqual([]);
  });
  it("have each plural form of the language wherever they have one", () => {
    expect(plurals.size).toBeGreaterThan(20);
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    const forms = pluralCategories.toSorted();
    const missing = [...plurals].filter(
      ([, present]) => !forms.every((form) => present.includes(form)),
    );
    expect(missing).toEqual([]);
  });
});
