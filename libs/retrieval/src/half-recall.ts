import { inverseDocumentFrequency, termWeight } from "@carrel/vector-store";
import { analyseTerms } from "./analyse.ts";

/** The two halves of a passage. */
export type Halves = readonly [first: string, second: string];

/** Splits a passage at the sentence end nearest to its middle, otherwise between words. */
export function splitInHalves(text: string, language: string | null): Halves {
  const pieces = (granularity: "sentence" | "word"): string[] =>
    [...new Intl.Segmenter(language ?? undefined, { granularity }).segment(text)].map(
      ({ segment }) => segment,
    );
  const sentences = pieces("sentence");
  const parts = sentences.length > 1 ? sentences : pieces("word");
  let end = parts[0]?.length ?? 0;
  for (const part of parts.slice(1, -1)) {
    if (end + part.length / 2 >= text.length / 2) break;
    end += part.length;
  }
  return [text.slice(0, end), text.slice(end)];
}

/**
 * Mean reciprocal rank, 0 to 1, of the second halves found by their first halves among all second
 * halves, by BM25. Few halves repeat each other, so this tests which texts belong together.
 */
export function recallByWords(halves: readonly Halves[], language: string | null): number {
  const texts = halves.map(([, second]) => analyseTerms(second, { language }));
  const frequencies = new Map<string, number>();
  for (const terms of texts)
    for (const term of new Set(terms)) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
  const averageLength = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const counts = texts.map((terms) => {
    const counted = new Map<string, number>();
    for (const term of terms) counted.set(term, (counted.get(term) ?? 0) + 1);
    return counted;
  });
  return reciprocalRank(
    halves.map(([first]) => {
      const asked = new Set(analyseTerms(first, { language }));
      return counts.map((counted, place) => {
        let score = 0;
        for (const term of asked) {
          const count = counted.get(term) ?? 0;
          if (count > 0)
            score +=
              inverseDocumentFrequency(frequencies.get(term)!, texts.length) *
              termWeight(count, texts[place]!.length, averageLength);
        }
        return score;
      });
    }),
  );
}

/** Like `recallByWords`, by cosine. */
export const recallByVectors = (
  first: readonly Float32Array[],
  second: readonly Float32Array[],
): number =>
  reciprocalRank(
    first.map((question) => second.map((text) => dot(question, text) / Math.hypot(...text))),
  );

function dot(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let at = 0; at < a.length; at++) product += a[at]! * b[at]!;
  return product;
}

/** `scores[n][m]`: how well question n matches text m; text n is its own. Ties count against it. */
const reciprocalRank = (scores: readonly number[][]): number =>
  scores.reduce((sum, row, own) => {
    const ahead = row.filter((score, place) => place !== own && score >= row[own]!).length;
    return sum + 1 / (1 + ahead);
  }, 0) / scores.length;

/** The expected `recallByVectors` of random vectors. */
export function chanceRecall(count: number): number {
  let sum = 0;
  for (let place = 1; place <= count; place++) sum += 1 / place;
  return sum / count;
}
