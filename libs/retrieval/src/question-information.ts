/** A word of the question, as search weighed it in the whole workspace. */
export interface SearchedWord {
  forms: string[];
  /** In nats, as in a workspace that isn't small. */
  idf: number;
  /** Whether any document contains it. */
  isFound: boolean;
}

/** Weight of a word that no document contains: it rarely says what the question is about. */
const unknownWeight = 0.3;
/** How much information a word of the question carries, in nats; null if it wasn't searched for. */
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

/** A long question has more, but that adds no certainty. */
const mostInformation = 20;
/** How much of the question is matched, by how informative each word is. */
export const informationIn = (matches: readonly number[], telling: readonly number[]): number =>
  Math.min(
    mostInformation,
    matches.reduce((sum, match, word) => sum + match * telling[word]!, 0),
  );
