/**
 * The words that are looked for, longest first, so that the longer one of two that overlap is
 * marked.
 */
export const wordsOf = (term: string): string[] =>
  [...new Set(term.toLocaleLowerCase().split(/\s+/).filter(Boolean))].sort(
    (a, b) => b.length - a.length,
  );

/** All words somewhere in the text, in any order and case. */
export const holdsAll = (text: string, words: string[]): boolean => {
  const lower = text.toLocaleLowerCase();
  return words.every((word) => lower.includes(word));
};

const escape = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** The text in pieces, those that were looked for marked. Joined they are the text. */
export function splitHits(text: string, words: string[]): { text: string; hit: boolean }[] {
  if (words.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`(${words.map(escape).join("|")})`, "giu");
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
