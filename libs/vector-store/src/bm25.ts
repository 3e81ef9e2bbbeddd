import type { TermStatistics, TextHit } from './text-index.ts';

/** Saturation of term frequency and weight of chunk length; the usual values, not tuned to a collection. */
const saturation = 1.2;
const lengthWeight = 0.75;

/** Lucene's form of inverse document frequency: never negative, 0 only when nothing is indexed. */
export function inverseDocumentFrequency(documentFrequency: number, documentCount: number): number {
  const frequency = Math.min(documentFrequency, documentCount);
  return Math.log(1 + (documentCount - frequency + 0.5) / (frequency + 0.5));
}

/** How much a term that stands `count` times in a chunk of `length` terms adds, before its IDF. */
export function termWeight(count: number, length: number, averageLength: number): number {
  const norm = 1 - lengthWeight + lengthWeight * (length / Math.max(1, averageLength));
  return (count * (saturation + 1)) / (count + saturation * norm);
}

/**
 * Scores candidates anew with the statistics of one workspace: the stores' own IDF spans all tenants, which would
 * let one workspace's documents move (and so betray themselves in) another's scores.
 */
export function rescore(candidates: { id: string; terms: string[] }[], query: string[], statistics: TermStatistics): TextHit[] {
  const weights = new Map<string, number>();
  for (const term of query) weights.set(term, inverseDocumentFrequency(statistics.frequencies.get(term) ?? 0, statistics.documentCount));
  const hits: TextHit[] = [];
  for (const candidate of candidates) {
    const counts = new Map<string, number>();
    for (const term of candidate.terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
    let score = 0;
    for (const [term, count] of counts) score += weights.get(term)! * termWeight(count, candidate.terms.length, statistics.averageLength);
    if (score > 0) hits.push({ id: candidate.id, score, terms: candidate.terms });
  }
  return hits.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
}
