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
export function foldWords(text: string): string {
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
