/** The search words, longest first, so that the longer of two overlapping words is highlighted. */
export const wordsOf = (term: string): string[] =>
  [...new Set(term.toLocaleLowerCase().split(/\s+/).filter(Boolean))].sort(
    (a, b) => b.length - a.length,
  );

/** Whether the text contains all words, in any order and case. */
export const includesAll = (text: string, words: string[]): boolean => {
  const lower = text.toLocaleLowerCase();
  return words.every((word) => lower.includes(word));
};

const escape = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Splits the text into pieces, with matches flagged; joined, they are the text again. */
export function splitHits(text: string, words: string[]): { text: string; hit: boolean }[] {
  if (words.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`(${words.map(escape).join("|")})`, "giu");
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
