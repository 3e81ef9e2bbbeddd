const unspacedWords = new Intl.Segmenter("zh", { granularity: "word" });
/** Weights of a Korean word's leading bigrams. */
const hangulWeights = [1, 0.4];
/** Korean particles and endings; a bigram that reaches into one is not a word. */
const hangulEnding =
  /(?:에서는|에서|으로|부터|까지|에게|한테|보다|처럼|이나|이란|인가요|인가|나요|까요|습니까|입니까|니까|합니까|하나요|되나요|은|는|이|가|을|를|의|에|로|와|과|도|만|인|한|된|한다|된다|하는|되는)$/u;
const seamWeight = 0.08;

/**
 * Weight of each bigram in a run: full inside a dictionary word, low across two words or in an
 * ending.
 */
export function bigramWeights(run: string, pairs: { start: number; end: number }[]): number[] {
  if (/^\p{sc=Hangul}/u.test(run)) {
    const body = run.length - (hangulEnding.exec(run.slice(1))?.[0].length ?? 0);
    return pairs.map(({ end }, place) =>
      end > body ? seamWeight : (hangulWeights[place] ?? seamWeight),
    );
  }
  const wordAt = new Map<number, number>();
  for (const { segment, index } of unspacedWords.segment(run))
    for (let at = index; at < index + segment.length; at++) wordAt.set(at, index);
  return pairs.map(({ start, end }) =>
    wordAt.get(start) === wordAt.get(end - 1) && !/^[ぁ-ん]+$/u.test(run.slice(start, end))
      ? 1
      : seamWeight,
  );
}
