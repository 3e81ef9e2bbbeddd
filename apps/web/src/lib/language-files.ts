import { sourceLanguage } from "@carrel/contracts/languages";
import type { BackendModule, i18n, ReadCallback } from "i18next";

type Texts = Record<string, unknown>;

/** Filled in by the build: where the languages' files are, with a hash of their content. */
declare const languageFolder: string;

/** Areas of the first page, in one file for each language. */
export const firstAreas = ["chat", "common", "documents", "shell", "sources"] as const;
const isFirst = (area: string): boolean => (firstAreas as readonly string[]).includes(area);

/** The file with an area's texts. */
export const languageFile = (language: string, area: string): string =>
  `${languageFolder}/${language}/${isFirst(area) ? "first" : area}.json`;

const mostRetries = 5;
const firstRetryMs = 350;
/** How long a page waits for its language before it is shown in English. */
const patienceMs = 1_000;

/** Resolves after the time, or once the browser is online again. */
const wait = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    const finish = (): void => {
      removeEventListener("online", finish);
      clearTimeout(timer);
      done();
    };
    const timer = setTimeout(finish, milliseconds);
    addEventListener("online", finish);
  });

/** null for a file that doesn't exist or can't be loaded now. */
async function fetchTexts(file: string): Promise<Texts | null> {
  for (let retry = 0; ; retry++) {
    const reply = await fetch(file).catch(() => null);
    if (reply?.ok) return (await reply.json().catch(() => null)) as Texts | null;
    if (reply !== null && reply.status < 500) return null;
    if (retry === mostRetries) return null;
    await wait(firstRetryMs * 2 ** retry);
  }
}

/**
 * Loads an area's texts when a page first uses it. Until an
 * area's texts arrive, it is shown in English; so are single texts that aren't translated.
 */
export function textLoader(instance: i18n): BackendModule {
  const files = new Map<string, Promise<Texts | null>>();
  const load = (file: string): Promise<Texts | null> => {
    const known = files.get(file);
    if (known) return known;
    const loading = fetchTexts(file).then((texts) => {
      if (texts === null) files.delete(file); // the next page that needs it tries again
      return texts;
    });
    files.set(file, loading);
    return loading;
  };
  const read = (language: string, area: string, done: ReadCallback): void => {
    if (language === sourceLanguage) return done(null, {}); // bundled
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      done(null, {});
    }, patienceMs);
    void load(languageFile(language, area)).then((file) => {
      clearTimeout(timer);
      const texts = ((isFirst(area) ? file?.[area] : file) ?? {}) as Texts;
      if (!isLate) return done(null, texts);
      if (file === null) return;
      instance.addResourceBundle(language, area, texts);
      if (instance.language === language) instance.emit("languageChanged", language);
    });
  };
  return { type: "backend", init: () => undefined, read };
}
