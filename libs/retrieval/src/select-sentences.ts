import type { RatedSentence, SentenceFeatures } from "./sentence-features.ts";

/*
 * Two logistic models, fitted by `bench/fit-answers.ts` (docs/decisions/citations.md). A weight is
 * what a feature adds to the log odds.
 */
type Weights = Partial<Record<keyof SentenceFeatures, number>>;

/** Which sentence of the passages contains the answer, if any does. */
const rankWeights = {
  own: 3.95,
  context: 5.4,
  around: 5.95,
  heading: 6.51,
  hasAnswer: 0.98,
  lacksAnswer: -1.27,
  relativeScore: 0.25,
  isFirst: 1.09,
} satisfies Weights;

/** Whether the question is answered at all, judging by the sentence that ranks first. */
const confidenceWeights = {
  aroundLong: 5.5,
  own: 1.16,
  pairs: 0.46,
  lacksAnswer: -4.42,
  missingNames: -1.93,
  information: 0.36,
  missingInformation: -0.06,
} satisfies Weights;
const confidenceBias = -6.65;

type Feature = keyof SentenceFeatures;
export const rankFeatures = Object.keys(rankWeights) as Feature[];
export const confidenceFeatures = Object.keys(confidenceWeights) as Feature[];

const sumOf = (weights: Weights, features: SentenceFeatures): number =>
  Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * features[name as keyof SentenceFeatures],
    0,
  );

/** Log odds that this sentence contains the answer; only comparable within a question. */
export const rankSentence = (features: SentenceFeatures): number => sumOf(rankWeights, features);

/**
 * Probability, 0 to 1, that the first sentence answers. At the default threshold of 0.25, one in
 * twenty questions about something else is answered.
 */
const confidence = (features: SentenceFeatures): number =>
  1 / (1 + Math.exp(-sumOf(confidenceWeights, features) - confidenceBias));

const maxSentences = 3;
/**
 * Sentences are added until the probability that one of them has the answer reaches this, given
 * that one of the passages has it, and only if at least `minShareOfBest` as probable as the best.
 */
const enough = 0.95;
export const minShareOfBest = 0.08;
/** Sentences that share this part of their words say the same. */
const maxOverlap = 0.8;

/** A sentence to quote; `score`, 0 to 1, is compared with the threshold. */
export interface SelectedSentence {
  sentence: RatedSentence;
  score: number;
}

/** The sentences most likely to contain the answer, best first; none below the threshold. */
export function selectSentences(
  sentences: readonly RatedSentence[],
  threshold: number,
): SelectedSentence[] {
  // The header of a mail names its subject and people, but only its text says something about them.
  const selected = selectFrom(
    sentences.filter(({ form }) => form !== "mail-header"),
    threshold,
  );
  return selected.length > 0 ? selected : selectFrom(sentences, threshold);
}

function selectFrom(sentences: readonly RatedSentence[], threshold: number): SelectedSentence[] {
  const ranked = sentences
    .filter(({ isQuotable }) => isQuotable)
    .map((sentence) => ({ sentence, odds: Math.exp(rankSentence(sentence.features)) }))
    .sort((a, b) => b.odds - a.odds);
  const best = ranked[0];
  if (best === undefined) return [];
  const near = ranked
    .slice(0, maxSentences)
    .filter(({ odds }) => odds >= minShareOfBest * best.odds);
  const isOther = ({ lacksCode }: RatedSentence): boolean => lacksCode && !best.sentence.lacksCode;
  const score = Math.max(...near.map(({ sentence }) => confidence(sentence.features)));
  if (score < threshold) return [];
  const all = ranked.reduce((sum, { odds }) => sum + odds, 0);
  const chosen: RatedSentence[] = [];
  let found = 0;
  for (const { sentence, odds } of ranked) {
    if (chosen.length >= maxSentences || found >= enough * all) break;
    if (odds < minShareOfBest * best.odds) break;
    found += odds;
    if (
      !isOther(sentence) &&
      !chosen.some((other) => overlap(sentence.terms, other.terms) > maxOverlap)
    )
      chosen.push(sentence);
  }
  const fact = missingFact(chosen, sentences);
  if (fact !== undefined) chosen.splice(1, chosen.length, fact);
  return chosen.map((sentence) => ({
    sentence,
    score: Math.max(threshold, Math.min(score, confidence(sentence.features))),
  }));
}

/**
 * The date, place or price that the quotes lack, from the "header: value" lines under the same
 * heading: a notice lists them apart from its sentences.
 */
function missingFact(
  chosen: readonly RatedSentence[],
  sentences: readonly RatedSentence[],
): RatedSentence | undefined {
  if (chosen.some(({ evidence }) => evidence > 0)) return undefined;
  return sentences.find(
    (sentence) =>
      sentence.form === "record" &&
      sentence.evidence > 0 &&
      sentence.announced > 0 &&
      sentence.passage === chosen[0]!.passage,
  );
}

function overlap(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const term of a) if (b.has(term)) common++;
  return common / Math.max(1, Math.min(a.size, b.size));
}
