import type { BackendModule } from "i18next";
import type { LoadTexts } from "./language-files.ts";

/** The language that texts are written in, and the fallback for missing translations. */
export const sourceLanguage = "en";

const filePath = (language: string, area: string): string => `../locales/${language}/${area}.json`;

/** Language codes with at least one translated area, English first. */
export function codesOf(paths: readonly string[]): string[] {
  const codes = paths.map((path) => path.split("/").at(-2) ?? sourceLanguage);
  return [...new Set([sourceLanguage, ...codes.sort()])];
}

/** The first preferred language we have; `de-AT` falls back to `de`. */
export function chooseLanguage(
  wanted: readonly (string | null | undefined)[],
  available: readonly string[],
): string {
  for (const tag of wanted) {
    if (!tag) continue;
    const match = [tag, tag.split("-")[0]].find((code) => code && available.includes(code));
    if (match) return match;
  }
  return sourceLanguage;
}

/** The language's name in that language. */
export const languageName = (code: string): string => {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
};

/** Loads an area's texts when a page first uses it; an untranslated area falls back to English. */
export const textLoader = (files: Record<string, LoadTexts>): BackendModule => ({
  type: "backend",
  init: () => undefined,
  read: (language, area, done) => {
    const load = files[filePath(language, area)];
    if (!load) return done(null, {});
    load().then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    );
  },
});
