import type { SentenceFeatures } from "./sentence-features.ts";

/*
 * Two logistic models, fitted by `bench/fit-answers.ts` (docs/decisions/citations.md). A weight is
 * what a feature adds to the logarithm of the odds.
 */
type Weights = Partial<Record<keyof SentenceFeatures, number>>;

/** Which sentence of the passages has the answer, if one has. */
const rankWeights = {
  own: 4.02,
  context: 5.22,
  around: 5.93,
  heading: 6.43,
  hasAnswer: 1.04,
  lacksAnswer: -1.02,
  relativeScore: 0.46,
  isFirst: 1.04,
} satisfies Weights;

/** Whether the question is answered at all, judging by the sentence that ranks first. */
const confidenceWeights = {
  contextMass: 2.77,
  aroundLong: 3.78,
  own: 0.93,
  pairs: 0.49,
  lacksAnswer: -4.2,
  missingNames: -1.75,
  isFirst: 0.39,
} satisfies Weights;
const confidenceBias = -7.75;

type Feature = keyof SentenceFeatures;
export const rankFeatures = Object.keys(rankWeights) as Feature[];
export const confidenceFeatures = Object.keys(confidenceWeights) as Feature[];

const sumOf = (weights: Weights, features: SentenceFeatures): number =>
  Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * features[name as keyof SentenceFeatures],
    0,
  );

/** Logarithm of the odds that this sentence has the answer; only comparable within a question. */
export const rankSentence = (features: SentenceFeatures): number => sumOf(rankWeights, features);

/**
 * How sure it is that the first sentence answers, 0 to 1. At the default threshold of 0.25, one in
 * twenty questions about something else is answered.
 */
export const confidence = (features: SentenceFeatures): number =>
  1 / (1 + Math.exp(-sumOf(confidenceWeights, features) - confidenceBias));
