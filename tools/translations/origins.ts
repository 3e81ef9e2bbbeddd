import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { languages, sourceLanguage } from "@carrel/contracts/languages";
import { localesFolder, type Text, type Texts } from "./texts.ts";

const file = join(localesFolder, "translated-from.json");

/** The languages that texts are translated into. */
export const translatedInto = languages.filter((language) => language !== sourceLanguage);

/** Which English a key was translated from: a hash for all languages, or one for each. */
type Origin = string | Record<string, string>;

/** Enough to tell a text from its next version. */
const hashOf = (text: Text): string =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(text).toSorted()))
    .digest("base64url")
    .slice(0, 6);

const read = (): Record<string, Origin> =>
  JSON.parse(readFileSync(file, "utf8")) as Record<string, Origin>;

const originIn = (origin: Origin | undefined, language: string): string | undefined =>
  typeof origin === "string" ? origin : origin?.[language];

/** Keys whose English has changed since they were translated, or that never were. */
export function staleKeys(language: string, english: Texts, origins = read()): string[] {
  return [...english]
    .filter(([key, text]) => originIn(origins[key], language) !== hashOf(text))
    .map(([key]) => key);
}

/** Records that the languages match the current English. */
export function writeOrigins(into: readonly string[], english: Texts): void {
  const before = read();
  const after: Record<string, Origin> = {};
  for (const [key, text] of [...english].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const origin = Object.fromEntries(
      translatedInto.flatMap((language) => {
        const hash = into.includes(language) ? hashOf(text) : originIn(before[key], language);
        return hash === undefined ? [] : [[language, hash]];
      }),
    );
    const hashes = new Set(Object.values(origin));
    const isWhole = Object.keys(origin).length === translatedInto.length && hashes.size === 1;
    after[key] = isWhole ? [...hashes][0]! : origin;
  }
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
}
