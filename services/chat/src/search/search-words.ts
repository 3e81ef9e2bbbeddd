import { clipText } from "@carrel/contracts";
import { distance } from "fastest-levenshtein";
import { foldWithPlaces, foldWords } from "./fold-words.ts";

/*
 * Splits text into words like the database (`search_words` in its migrations): ignoring case and
 * accents, without punctuation, ideographs and kana one by one.
 */
const notWord =
  /[^0-9A-Za-z\u00AA-\uFFFF]|[\u00AB\u00B7\u00BB\u00BF\u2000-\u206F\u3000-\u303F\uFF00-\uFF0F\uFF1A-\uFF20]/gu;
const single = /[\u2E80-\u2FFF\u3040-\u30FF\u3400-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF]/u;
const maxWords = 12;

/** Words of a search, folded for case and accents. */
export function wordsOf(term: string): string[] {
  return [
    ...new Set(
      foldWords(term)
        .replace(notWord, " ")
        .split(" ")
        .filter((word) => word !== ""),
    ),
  ].slice(0, maxWords);
}

/**
 * Builds a tsquery for texts of one owner, or of all, that contain all words: prefixes of words,
 * and consecutive ideographs.
 */
export function buildQuery(owner: number | null | "everyone", words: readonly string[]): string {
  const parts = words.map((word) => {
    const pieces =
      word.match(new RegExp(`${single.source}|(?:(?!${single.source}).)+`, "gu")) ?? [];
    const terms = pieces.map((piece, index) =>
      index === pieces.length - 1 && !single.test(piece) ? `${quote(piece)}:*` : quote(piece),
    );
    return `(${terms.join(" <-> ")})`;
  });
  const mark = owner === "everyone" ? [] : [quote(`@${owner ?? "instance"}`)];
  return [...mark, ...parts].join(" & ");
}

const quote = (word: string): string => `'${word.replaceAll("'", "''").replaceAll("\\", "\\\\")}'`;

/**
 * Returns 0 if the name contains the term, otherwise the number of wrong letters; null is no match.
 * The longer the term, the more errors it may have: none below four letters, three at most.
 */
export function matchName(term: string, name: string): number | null {
  const wanted = wordsOf(term).join(" ");
  const words = foldWords(name)
    .replace(notWord, " ")
    .split(" ")
    .filter((word) => word !== "");
  if (wanted === "") return null;
  if (words.join(" ").includes(wanted) || foldWords(name).includes(foldWords(term).trim()))
    return 0;
  const allowed = wanted.length < 4 ? 0 : wanted.length < 6 ? 1 : wanted.length < 12 ? 2 : 3;
  const count = wanted.split(" ").length;
  let best = Infinity;
  // Compares every run of as many words as the term has.
  for (let start = 0; start + count <= words.length; start += 1)
    best = Math.min(best, distance(wanted, words.slice(start, start + count).join(" ")));
  return best <= allowed ? best : null;
}

const around = 80;

/**
 * Returns plain text around the first match, preferring the answer's; `…` marks where it was cut.
 */
export function cutExcerpt(texts: readonly string[], words: readonly string[]): string {
  for (const original of texts) {
    const { text, placeOf } = foldWithPlaces(original);
    const hits = words.map((word) => text.indexOf(word)).filter((at) => at >= 0);
    if (hits.length > 0) return cut(original, placeOf(Math.min(...hits)));
  }
  return cut(texts.find((text) => text !== "") ?? "", 0);
}

function cut(text: string, at: number): string {
  let start = clipText(text, at - around).length;
  let end = clipText(text, at + around * 2).length;
  // Cut at a space if one is near.
  if (start > 0) start = Math.max(start, text.slice(start, at).indexOf(" ") + 1 + start);
  if (end < text.length && text.lastIndexOf(" ", end) > at) end = text.lastIndexOf(" ", end);
  const middle = text.slice(start, end).replace(/\s+/g, " ").trim();
  return `${start > 0 ? "…" : ""}${middle}${end < text.length ? "…" : ""}`;
}
