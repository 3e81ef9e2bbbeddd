import { termWeight, type TermStatistics, type TextHit } from '@carrel/vector-store';
import { splitChunkTerms } from './chunk-terms.ts';
import { pairsCloseTogether } from './closeness.ts';
import { expandQuestion, type ExpansionTerm } from './expand-question.ts';
import { calibrated } from './text-score.ts';
import { findSynonyms } from './synonyms.ts';
import { findRelated } from './word-family.ts';
import { questionMass, type WeighedWord } from './question.ts';

export interface RankedText {
  id: string;
  /** For the order among the hits of one question; at least 0, no upper limit. */
  rank: number;
  /** 0 to 1, see `textScore`. */
  score: number;
}

/** A word of title or heading says what the chunk is about, but less than one in it. */
const contextWeight = 0.5;
/** Milder than for sentences, which are weighed once more before they are quoted. */
const passageCurve = 2.2;
/** Terms in a row that are looked at together for `textScore`: some three sentences. */
const windowLength = 36;

/** A candidate as it is ranked; `counts` are those of `body`. */
export interface Reading { id: string; context: Set<string>; body: string[]; counts: Map<string, number>; rank: number }

/**
 * Ranks the candidates of the text index, best first: BM25 over words (any form is a hit), words that stand close together,
 * and (unless `expansion` is false) the terms of the first hits. `expansion`: the terms that widened the question.
 */
export function rankText(hits: TextHit[], words: WeighedWord[], statistics: TermStatistics, options: { expansion?: boolean } = {}): { hits: RankedText[]; expansion: ExpansionTerm[] } {
  const formOf = new Map(words.flatMap((word, index) => [...word.forms.keys()].map((form): [string, number] => [form, index])));
  // In how many candidates each term stands; terms of titles and headings alone in none.
  const frequencies = new Map<string, number>();
  const readings = hits.map(({ id, terms }): Reading => {
    const { context, body } = splitChunkTerms(terms);
    const counts = new Map<string, number>();
    for (const term of body) {
      const count = counts.get(term);
      if (count === undefined) {
        counts.set(term, 1);
        frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      } else counts.set(term, count + 1);
    }
    return { id, context: new Set(context), body, counts, rank: 0 };
  });
  for (const reading of readings) for (const term of reading.context) if (!frequencies.has(term)) frequencies.set(term, 0);
  for (const reading of readings) {
    for (const word of words) {
      let count = 0, idf = 0;
      for (const [form, weight] of word.forms) {
        const inBody = reading.counts.get(form) ?? 0;
        count += inBody + (reading.context.has(form) ? contextWeight : 0);
        if (inBody || reading.context.has(form)) idf = Math.max(idf, weight);
      }
      if (count) reading.rank += idf * termWeight(count, reading.body.length, statistics.averageLength);
    }
    reading.rank += pairsCloseTogether(reading.body, words, formOf, statistics);
  }
  readings.sort((a, b) => b.rank - a.rank);
  const expansion = options.expansion === false ? [] : expandQuestion(readings, frequencies, words, statistics);
  const mass = questionMass(words);
  const related = findRelated(words.map((word) => ({ forms: word.asked })), frequencies.keys());
  const wordOf = termsOf(words, related);
  const ranked = readings.map((reading) => ({ id: reading.id, rank: reading.rank, score: mass > 0 ? calibrated(held(reading, words, wordOf) / mass, passageCurve) : 0 }))
    .filter((one) => one.rank > 0).sort((a, b) => b.rank - a.rank);
  return { hits: ranked, expansion };
}

/** Which word of the question a term speaks for: its own forms before relatives before synonyms. */
function termsOf(words: WeighedWord[], related: Set<string>[]): Map<string, number> {
  const wordOf = new Map<string, number>();
  for (const [index, word] of words.entries()) for (const term of findSynonyms(word.asked)) wordOf.set(term, index);
  for (const [index, set] of related.entries()) for (const term of set) wordOf.set(term, index);
  for (const [index, word] of words.entries()) for (const form of word.forms.keys()) wordOf.set(form, index);
  return wordOf;
}

/** The largest part of the question's mass that stands close together in a chunk; what its title and headings hold counts everywhere. */
function held(reading: Reading, words: WeighedWord[], wordOf: ReadonlyMap<string, number>): number {
  const inContext = words.map(() => false);
  for (const term of reading.context) {
    const index = wordOf.get(term);
    if (index !== undefined) inContext[index] = true;
  }
  let base = 0;
  for (const [index, word] of words.entries()) if (inContext[index]) base += word.idf;
  const seen = new Int32Array(words.length);
  let mass = 0, most = 0;
  for (let end = 0; end < reading.body.length; end++) {
    const added = wordOf.get(reading.body[end]!);
    if (added !== undefined && !inContext[added] && seen[added]!++ === 0) mass += words[added]!.idf;
    if (end >= windowLength) {
      const left = wordOf.get(reading.body[end - windowLength]!);
      if (left !== undefined && !inContext[left] && --seen[left]! === 0) mass -= words[left]!.idf;
    }
    if (mass > most) most = mass;
  }
  return base + most;
}
