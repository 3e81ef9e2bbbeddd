const withoutMarks = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

/** Lower-case letters with one mark, from Latin-1 to Latin Extended-A, and the same without it. */
const accented = Array.from({ length: 0x180 - 0xc0 }, (_, n) =>
  String.fromCharCode(0xc0 + n),
).filter((letter) => letter === letter.toLowerCase() && /^[a-z]$/.test(withoutMarks(letter)));
const [from, to] = [accented.join(""), accented.map(withoutMarks).join("")];

/** Text in lower case and without accents, as `foldedSql` makes it of Latin letters. */
export const foldText = (text: string): string => {
  const lower = text.toLowerCase();
  return /^[a-z0-9]*$/.test(lower) ? lower : withoutMarks(lower);
};

/** SQL that folds the column. */
export const foldedSql = (column: string): string =>
  `translate(lower(${column}), '${from}', '${to}')`;

/**
 * What to look for in folded text instead of a term: stemming may have changed the last letter of a
 * word ("happy": "happi").
 */
export function makeNeedle(term: string): string {
  const folded = foldText(term);
  return folded.length > 4 ? folded.slice(0, -1) : folded;
}
