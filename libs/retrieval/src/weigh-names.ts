interface NamedWord {
  start: number;
  end: number;
  weight?: number;
  isExact?: boolean;
}

/** Weight that each further word of a name adds. */
const furtherName = 0.3;
/**
 * Weighs a run of capitalised words within a line as one name: "Anselm Brodie" is a single subject
 * and weighs little more than one word. Marks names and numbers as exact.
 */
export function weighNames<Word extends NamedWord>(
  question: string,
  words: readonly Word[],
  language: string | null,
): Word[] {
  const isCapital = (word: Word): boolean =>
    /^\p{Lu}/u.test(question.slice(word.start, word.end)) &&
    word.start > 0 &&
    question[word.start - 1] !== "\n";
  // Capitals mean nothing in a title, in all-caps text or in German, where every noun has one.
  const capitals = words.filter(isCapital).length;
  const telling = capitals < words.length || words.length <= 2;
  const weighed: Word[] = [];
  for (let first = 0; first < words.length;) {
    let after = first + 1;
    if (isCapital(words[first]!))
      while (
        after < words.length &&
        isCapital(words[after]!) &&
        /^['’]?s?[ \u00a0-]$/.test(question.slice(words[after - 1]!.end, words[after]!.start))
      )
        after++;
    const length = after - first;
    for (; first < after; first++) {
      const word = words[first]!;
      const isExact =
        /\p{N}|[+#]$|^\./u.test(question.slice(word.start, word.end)) ||
        (telling && language !== "de" && isCapital(word));
      weighed.push({
        ...word,
        ...(length > 1 && {
          weight: ((word.weight ?? 1) * (1 + furtherName * (length - 1))) / length,
        }),
        ...(isExact && { isExact }),
      });
    }
  }
  return weighed;
}
