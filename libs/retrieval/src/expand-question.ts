import { inverseDocumentFrequency, termWeight, type TermStatistics } from '@carrel/vector-store';
import { languageMark } from './chunk-terms.ts';
import type { WeighedWord } from './question.ts';
import type { Reading } from './text-rank.ts';

/** A term that the first hits added to the question. */
export interface ExpansionTerm { term: string; weight: number }

/**
 * Hits whose terms widen the question, how many of those terms, the part of the final rank they decide, and the power that
 * makes the better ones of these hits count for more: the first hit, where it stands out, mostly confirms itself
 * (docs/decisions/0170).
 */
const feedback = { hits: 12, terms: 80, share: 0.5, minHits: 4, power: 8 };
/** A term of one hit alone says what that chunk is about, not what the question is. */
const agreeing = 2;

/**
 * Relevance feedback without anyone's judgement (RM3): the first hits speak of the matter in other words too, and candidates
 * that share those rise. Only among candidates that hold a word of the question, and only where enough hits agree. Orders
 * `readings` (best first) anew; `frequencies`: in how many of them a term stands; gives the terms, the weightiest first, their weights together 1.
 */
export function expandQuestion(readings: Reading[], frequencies: ReadonlyMap<string, number>, words: WeighedWord[], statistics: TermStatistics): ExpansionTerm[] {
  const first = readings.slice(0, feedback.hits);
  const top = first[0]?.rank ?? 0;
  if (first.length < feedback.minHits || top <= 0) return [];
  // Against the first, so that the power meets numbers below 1.
  const voices = first.map((reading) => (reading.rank / top) ** feedback.power);
  const all = voices.reduce((sum, voice) => sum + voice, 0);
  const asked = new Set(words.flatMap((word) => [...word.forms.keys()]));
  const weights = new Map<string, { weight: number; hits: number }>();
  for (const [place, reading] of first.entries()) {
    for (const [term, count] of reading.counts) {
      if (asked.has(term) || term.startsWith(languageMark)) continue;
      const entry = weights.get(term) ?? { weight: 0, hits: 0 };
      entry.weight += (voices[place]! / all) * (count / Math.max(1, reading.body.length));
      entry.hits++;
      weights.set(term, entry);
    }
  }
  const chosen = [...weights].filter(([, entry]) => entry.hits >= agreeing)
    // What stands in most of the candidates too says nothing.
    .map(([term, entry]) => ({ term, weight: entry.weight * inverseDocumentFrequency(frequencies.get(term) ?? 0, readings.length) }))
    .sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, feedback.terms);
  const sum = chosen.reduce((total, { weight }) => total + weight, 0);
  if (sum === 0) return [];
  const shares = new Map(chosen.map(({ term, weight }) => [term, weight / sum]));
  const extra = readings.map((reading) => {
    let score = 0;
    for (const [term, share] of shares) {
      const count = reading.counts.get(term);
      if (count !== undefined) score += share * termWeight(count, reading.body.length, statistics.averageLength);
    }
    return score;
  });
  const most = Math.max(...extra);
  if (most === 0) return [];
  for (const [index, reading] of readings.entries()) reading.rank = (1 - feedback.share) * reading.rank + feedback.share * top * (extra[index]! / most);
  readings.sort((a, b) => b.rank - a.rank);
  return [...shares].map(([term, weight]) => ({ term, weight }));
}
