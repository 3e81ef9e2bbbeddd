import type { SentenceFeatures } from "./sentence-features.ts";

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
export const confidence = (features: SentenceFeatures): number =>
  1 / (1 + Math.exp(-sumOf(confidenceWeights, features) - confidenceBias));
