import type { TermStatistics, TextHit } from "./vector-store.ts";

/**
 * Term frequency saturation and chunk length weight: the usual values, not tuned to a collection.
 */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Saturation of repeated words in the question (Okapi's k3): the usual value. */
const questionSaturation = 8;

/** Lucene's inverse document frequency: never negative, and 0 only when nothing is indexed. */
export function inverseDocumentFrequency(documentFrequency: number, documentCount: number): number {
  const frequency = Math.min(documentFrequency, documentCount);
  return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5));
}

/** BM25 weight, before IDF, of a term that occurs `count` times in a chunk of `length` terms. */
export const termWeight = (count: number, length: number, averageLength: number): number =>
  normedWeight(count, lengthNorm(length, averageLength));

/** The part of `termWeight` that depends only on the chunk. */
export const lengthNorm = (length: number, averageLength: number): number =>
  saturation * (1 - lengthWeight + lengthWeight * (length / Math.max(1, averageLength)));

export const normedWeight = (count: number, norm: number): number =>
  (count * (saturation + 1)) / (count + norm);

/**
 * BM25 weight of a word that occurs `count` times in the question, relative to a single occurrence.
 */
export const questionTermWeight = (count: number): number =>
  ((questionSaturation + 1) * count) / (questionSaturation + count);

/**
 * Rescores candidates with the statistics of one workspace. The stores compute IDF across all
 * tenants, which would let one workspace's documents influence, and so leak into, another's scores.
 * `query` repeats a term as often as the question does.
 */
export function rescore(
  candidates: { id: string; terms: string[] }[],
  query: string[],
  statistics: TermStatistics,
): TextHit[] {
  const asked = new Map<string, number>();
  for (const term of query) asked.set(term, (asked.get(term) ?? 0) + 1);
  const places = new Map([...asked.keys()].map((term, place) => [term, place]));
  const weights = [...asked].map(
    ([term, count]) =>
      questionTermWeight(count) *
      inverseDocumentFrequency(statistics.frequencies.get(term) ?? 1, statistics.documentCount),
  );
  const counts = new Int32Array(asked.size);
  const hits: TextHit[] = [];
  for (const { id, terms } of candidates) {
    counts.fill(0);
    for (const term of terms) {
      const place = places.get(term);
      if (place !== undefined) counts[place]!++;
    }
    let score = 0;
    for (const [place, weight] of weights.entries())
      if (counts[place]! > 0)
        score += weight * termWeight(counts[place]!, terms.length, statistics.averageLength);
    if (score > 0) hits.push({ id, score, terms });
  }
  return hits.sort(byScore);
}

/** Best first. */
export const byScore = (a: TextHit, b: TextHit): number =>
  b.score - a.score || (a.id < b.id ? -1 : 1);
