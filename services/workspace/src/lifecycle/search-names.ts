import { distance } from "fastest-levenshtein";

const maxFound = 100;
/** Maximum edit distance between a name and the term (wire-contract 3.3). */
const maxFaults = 3;
/** Lower case without diacritics, the same folding as in message search. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .trim();

/**
 * Finds names that contain the term or are within three edits of it: first those starting with it,
 * then those containing it, then by edit distance. At least one letter must match, so entirely
 * different three-letter words don't count.
 */
export function searchNames<Named extends { name: string }>(
  all: readonly Named[],
  term: string,
): Named[] {
  const wanted = fold(term);
  if (wanted === "") return [];
  const found: { one: Named; rank: number }[] = [];
  for (const one of all) {
    const name = fold(one.name);
    const at = name.indexOf(wanted);
    if (at >= 0) found.push({ one, rank: at === 0 ? -2 : -1 });
    else if (Math.abs(name.length - wanted.length) <= maxFaults) {
      const faults = distance(name, wanted);
      if (faults <= maxFaults && faults < Math.min(name.length, wanted.length))
        found.push({ one, rank: faults });
    }
  }
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxFound)
    .map(({ one }) => one);
}
