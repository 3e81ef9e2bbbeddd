import {
  questionTermWeight,
  termWeight,
  type TermStatistics,
  type TextHit,
} from "@carrel/vector-store";
import { expandQuestion, type ExpansionTerm } from "./expand-question.ts";
import { calibrated } from "./text-score.ts";
import { findSynonyms } from "./synonyms.ts";
import { findRelated } from "./word-family.ts";
import { questionMass, type WeighedWord } from "./question.ts";
import type { QuestionWordIndex, RankCandidate } from "./rank-candidate.ts";
import { termNumbers } from "./term-numbers.ts";
import { proximityScorer } from "./term-proximity.ts";

export interface RankedText {
  id: string;
  /** Orders the hits of one question; at least 0, no upper limit. */
  rank: number;
  /** 0 to 1, see `calibrated`. */
  score: number;
}

/**
 * A word in the title or a heading shows what the chunk is about, but counts less than one in the
 * text.
 */
const contextWeight = 0.5;
/** Milder than for sentences, which are scored once more before they are quoted. */
const passageCurve = 2.2;
/** Sliding window for the text score, in terms: about three sentences. */
const windowLength = 36;

/**
 * Ranks the candidates of the text index, best first: BM25 over words (any form matches), words
 * close together and, unless `expansion` is false, terms of the top hits. Returns as `expansion`
 * the terms that expanded the question.
 */
export function rankText(
  hits: TextHit[],
  words: WeighedWord[],
  statistics: TermStatistics,
  options: { expansion?: boolean } = {},
): { hits: RankedText[]; expansion: ExpansionTerm[] } {
  termNumbers.shrink();
  const candidates = hits.map(({ id, terms }): RankCandidate => ({
    id,
    ...termNumbers.read(terms),
    rank: 0,
  }));
  const forms = words.flatMap((word, index) =>
    [...word.forms].map(([form, idf]) => ({
      number: termNumbers.of(form),
      index,
      idf: idf * questionTermWeight(word.count),
    })),
  );
  const asked = new Map(forms.map(({ number, index }) => [number, index]));
  const { counts, terms } = countCandidates(candidates);
  rankByWords(candidates, forms, words.length, statistics);
  const wordOf = markWords(asked);
  const proximityOf = proximityScorer(words, wordOf, statistics);
  for (const candidate of candidates) candidate.rank += proximityOf(candidate.body);
  candidates.sort((a, b) => b.rank - a.rank);
  const mass = questionMass(words);
  const best = candidates[0];
  const expansion =
    options.expansion === false || best === undefined
      ? []
      : expandQuestion(candidates, {
          frequencies: counts,
          asked: wordOf,
          certainty: massOf(best, words, wordOf) / mass,
          statistics,
        });
  const related = findRelated(
    words.map((word) => ({ forms: word.asked })),
    terms.map((number) => termNumbers.nameOf(number)),
  );
  const matching = termsOf(words, related, asked),
    matchingOf = markWords(matching);
  const massIn = densestWindowScorer(words, matchingOf);
  const ranked = candidates
    .map((candidate) => ({
      id: candidate.id,
      rank: candidate.rank,
      score: mass > 0 ? calibrated(massIn(candidate) / mass, passageCurve) : 0,
    }))
    .filter((one) => one.rank > 0)
    .sort((a, b) => b.rank - a.rank);
  termNumbers.release(counts, terms);
  termNumbers.release(wordOf, asked.keys());
  termNumbers.release(matchingOf, matching.keys());
  return { hits: ranked, expansion };
}

/**
 * Number of candidates that contain each term in their text, by its number; terms that occur only in
 * titles and headings count 0. `terms`: all that occur anywhere.
 */
function countCandidates(candidates: RankCandidate[]): { counts: Int32Array; terms: number[] } {
  const counts = termNumbers.acquire(),
    last = termNumbers.acquire();
  const terms: number[] = [];
  for (let index = 0; index < candidates.length; index++) {
    const { body } = candidates[index]!;
    for (let at = 0; at < body.length; at++) {
      const number = body[at]!;
      if (last[number] === index + 1) continue;
      last[number] = index + 1;
      if (counts[number]!++ === 0) terms.push(number);
    }
  }
  for (const candidate of candidates) {
    for (const number of candidate.context) {
      if (last[number] !== 0) continue;
      last[number] = -1;
      terms.push(number);
    }
  }
  termNumbers.release(last, terms);
  return { counts, terms };
}

/** BM25 over the words of the question, each across all its forms. */
function rankByWords(
  candidates: RankCandidate[],
  forms: { number: number; index: number; idf: number }[],
  words: number,
  statistics: TermStatistics,
): void {
  // A form may belong to two words.
  const formsOf = [...Map.groupBy(forms, ({ number }) => number)];
  const groupOf = termNumbers.acquire();
  for (const [group, [number]] of formsOf.entries()) groupOf[number] = group + 1;
  const counts = new Float64Array(words),
    idfs = new Float64Array(words);
  const count = (numbers: Int32Array, weight: number): void => {
    for (let at = 0; at < numbers.length; at++) {
      const group = groupOf[numbers[at]!]!;
      if (group === 0) continue;
      for (const { index, idf } of formsOf[group - 1]![1]) {
        counts[index]! += weight;
        if (idf > idfs[index]!) idfs[index] = idf;
      }
    }
  };
  for (const candidate of candidates) {
    counts.fill(0);
    idfs.fill(0);
    count(candidate.body, 1);
    count(candidate.context, contextWeight);
    for (let index = 0; index < words; index++)
      if (counts[index]! > 0)
        candidate.rank +=
          idfs[index]! *
          termWeight(counts[index]!, candidate.body.length, statistics.averageLength);
  }
  termNumbers.release(
    groupOf,
    formsOf.map(([number]) => number),
  );
}

function markWords(indexes: ReadonlyMap<number, number>): QuestionWordIndex {
  const words = termNumbers.acquire();
  for (const [number, index] of indexes) words[number] = index + 1;
  return words;
}

/** The question's mass in a chunk's text, wherever it occurs. */
function massOf(candidate: RankCandidate, words: WeighedWord[], wordOf: QuestionWordIndex): number {
  const found = new Set<number>();
  for (const number of candidate.body) if (wordOf[number]! > 0) found.add(wordOf[number]! - 1);
  let mass = 0;
  for (const index of found) mass += words[index]!.idf;
  return mass;
}

/**
 * The question word a term matches: its own forms take precedence over related words, those over
 * synonyms.
 */
function termsOf(
  words: WeighedWord[],
  related: Set<string>[],
  asked: ReadonlyMap<number, number>,
): Map<number, number> {
  const wordOf = new Map<number, number>();
  const add = (terms: Iterable<string>, index: number): void => {
    for (const term of terms) {
      const number = termNumbers.find(term);
      if (number !== undefined) wordOf.set(number, index);
    }
  };
  for (const [index, word] of words.entries()) {
    add(findSynonyms(word.asked), index);
    add(word.variants, index);
  }
  for (const [index, set] of related.entries()) add(set, index);
  for (const [number, index] of asked) wordOf.set(number, index);
  return wordOf;
}

/**
 * The largest share of the question's mass that occurs close together in a chunk; words in its
 * title and headings count everywhere.
 */
function densestWindowScorer(
  words: WeighedWord[],
  wordOf: QuestionWordIndex,
): (candidate: RankCandidate) => number {
  // Reused by every call.
  const idfs = Float64Array.from(words, ({ idf }) => idf);
  const inContext = new Uint8Array(words.length),
    seen = new Int32Array(words.length);
  return ({ context, body }) => {
    inContext.fill(0);
    seen.fill(0);
    for (let at = 0; at < context.length; at++) {
      const word = wordOf[context[at]!]!;
      if (word > 0) inContext[word - 1] = 1;
    }
    let base = 0;
    for (let index = 0; index < idfs.length; index++)
      if (inContext[index] === 1) base += idfs[index]!;
    let mass = 0,
      most = 0;
    for (let end = 0; end < body.length; end++) {
      const added = wordOf[body[end]!]! - 1;
      if (added >= 0 && inContext[added] === 0 && seen[added]!++ === 0) mass += idfs[added]!;
      if (end >= windowLength) {
        const left = wordOf[body[end - windowLength]!]! - 1;
        if (left >= 0 && inContext[left] === 0 && --seen[left]! === 0) mass -= idfs[left]!;
      }
      if (mass > most) most = mass;
    }
    return base + most;
  };
}
