import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { errorCatalogue } from "@carrel/contracts/error-catalogue";
import { sourceLanguage } from "@carrel/contracts/languages";
import { settingCaptions } from "@carrel/contracts/setting-captions";
import { root } from "../checkout.ts";

export const localesFolder = join(root, "apps/web/src/locales");

/** A text by plural form, such as `one`, or by "" if it has none. */
export type Text = Record<string, string>;
/** Texts by area and key, such as `chat:documents`. */
export type Texts = Map<string, Text>;

const pluralForm = /_(zero|one|two|few|many|other)$/;

/** All texts in a value by path; the forms of a plural are one text. */
function collect(area: string, value: unknown): Texts {
  const flat = new Map<string, string>();
  const walk = (path: string, each: unknown): void => {
    if (typeof each === "string") flat.set(path, each);
    else
      for (const [key, inner] of Object.entries(each as object))
        walk(path === "" ? key : `${path}.${key}`, inner);
  };
  walk("", value);
  const texts: Texts = new Map();
  for (const [path, text] of flat) {
    const form = pluralForm.exec(path)?.[1];
    const base = form === undefined ? path : path.slice(0, -form.length - 1);
    // `days_one` may be a key of its own.
    const isPlural = form !== undefined && flat.has(`${base}_other`);
    const key = `${area}:${isPlural ? base : path}`;
    texts.set(key, { ...texts.get(key), [isPlural ? form : ""]: text });
  }
  return texts;
}

/** The translated texts of a language. */
export function readTexts(language: string): Texts {
  const folder = join(localesFolder, language);
  return new Map(
    readdirSync(folder).flatMap((file) => [
      ...collect(basename(file, ".json"), JSON.parse(readFileSync(join(folder, file), "utf8"))),
    ]),
  );
}

/**
 * What there is to translate: the app's English, the server's sentences for errors that the app
 * doesn't word differently, and the captions of settings.
 */
export function readEnglish(): Texts {
  const texts = readTexts(sourceLanguage);
  for (const [code, { message }] of Object.entries(errorCatalogue))
    if (!texts.has(`errors:${code}`)) texts.set(`errors:${code}`, { "": message });
  for (const [label, { text }] of Object.entries(settingCaptions))
    texts.set(`settings:field.${label}`, { "": text });
  return texts;
}

/** Names of the parameters in a text, such as `count`. */
export const parametersOf = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name!)),
];
/** Tags of a text, such as `<bold>`, in order of their names. */
export const tagsOf = (text: string): string[] =>
  [...text.matchAll(/<\/?\w+\/?>/g)].map(([tag]) => tag).toSorted();

/** The forms of a text in a language; English may have its own for none, which all then have. */
export function formsOf(language: string, key: string, english: Text): string[] {
  if ("" in english) return [""];
  const type = key.endsWith("_ordinal") ? "ordinal" : "cardinal";
  const { pluralCategories } = new Intl.PluralRules(language, { type }).resolvedOptions();
  return [...new Set([...pluralCategories, ...("zero" in english ? ["zero"] : [])])].toSorted();
}
