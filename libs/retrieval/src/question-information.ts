/** A word of the question, as search weighed it in the whole workspace. */
export interface SearchedWord {
  forms: string[];
  /** In nats, as in a workspace that isn't small. */
  idf: number;
  /** Whether some document has it. */
  isFound: boolean;
}

/** Weight of a word that no document has: it rarely says what the question is about. */
const unknownWeight = 0.3;
/** How much a word of the question says, in nats; null if it wasn't searched for. */
export function informationOf(
  forms: readonly string[],
  isExact: boolean,
  searched: readonly SearchedWord[],
): number | null {
  const own = searched.filter((word) => word.forms.some((form) => forms.includes(form)));
  if (own.length === 0) return null;
  const { idf, isFound } = own.find((word) => word.isFound) ?? own[0]!;
  return isFound || isExact ? idf : idf * unknownWeight;
}

/** A long question has more, which makes nothing surer. */
const mostInformation = 20;
/** How much of the question is matched, by how much each word says. */
export const informationIn = (matches: readonly number[], telling: readonly number[]): number =>
  Math.min(
    mostInformation,
    matches.reduce((sum, match, word) => sum + match * telling[word]!, 0),
  );
