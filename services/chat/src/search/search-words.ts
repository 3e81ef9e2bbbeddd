import { clipText } from "@carrel/contracts";
import { distance } from "fastest-levenshtein";

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

/* Must match `search_words` in the database (migration FoldSearchWords) letter for letter. */
const marks =
  // oxlint-disable-next-line no-misleading-character-class -- matches each mark on its own
  /[\u0300-\u036F\u0483-\u0487\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7\u0610-\u061A\u064B-\u065F\u0670\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]/gu;
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ø: "o",
  đ: "d",
  ł: "l",
  ı: "i",
  ð: "d",
  ħ: "h",
  ς: "σ",
};
const letter = /[ßæœþøđłıðħς]/gu;

/** Lowercases and removes diacritics. The length may change. */
function foldWords(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(marks, "")
    .normalize("NFKC")
    .replace(letter, (found) => letters[found] ?? found);
}

const folded = new Map<string, string>();

/**
 * Returns the folded text, and a function that maps each of its UTF-16 units to its place in the
 * original.
 */
export function foldWithPlaces(text: string): { text: string; placeOf: (at: number) => number } {
  // oxlint-disable-next-line no-control-regex -- ASCII: only the case changes, and every place is kept.
  if (/^[\u0000-\u007F]*$/.test(text)) return { text: text.toLowerCase(), placeOf: (at) => at };
  const pieces: string[] = [];
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    let piece = folded.get(character);
    if (piece === undefined) folded.set(character, (piece = foldWords(character)));
    pieces.push(piece);
    for (let unit = 0; unit < piece.length; unit += 1) places.push(place);
    place += character.length;
  }
  return { text: pieces.join(""), placeOf: (at) => places[at] ?? text.length };
}
