import { distance } from "fastest-levenshtein";

const mostFound = 100;
/** Typing faults that a name may be away from the term (wire-contract 3.3). */
const mostFaults = 3;
/** Small letters without marks above and below, as messages are searched. */
const fold = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}+/gu, "")
    .normalize("NFC")
    .trim();

/**
 * Those whose name contains the term, or is at most three letters away from it, best first: names
 * that begin with it,
 * that contain it, then by their faults. Whole other words of three letters are no faults:
 * something must agree.
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
    else if (Math.abs(name.length - wanted.length) <= mostFaults) {
      const faults = distance(name, wanted);
      if (faults <= mostFaults && faults < Math.min(name.length, wanted.length))
        found.push({ one, rank: faults });
    }
  }
  return found
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, mostFound)
    .map(({ one }) => one);
}
