import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openLanceStore } from "@carrel/vector-store";
import { rateSentences } from "../libs/retrieval/src/quote-sentences.ts";
import {
  confidenceFeatures,
  minShareOfBest,
  rankFeatures,
} from "../libs/retrieval/src/select-sentences.ts";
import type { SentenceFeatures } from "../libs/retrieval/src/sentence-features.ts";
import { openLibrary } from "../libs/retrieval/test/query-mode.ts";
import {
  containsAnswer,
  readXquad,
  xquadLanguages,
  type AskedQuestion,
  type QuestionSet,
} from "../libs/retrieval/test/xquad.ts";
import { readQueryMode } from "./answer-questions.ts";

/*
 * Fits the built-in answerer's two models (`libs/retrieval/src/select-sentences.ts`) on one third of
 * XQuAD's articles left out (`--fold=0`) and on the tests' questions, and prints their weights.
 */
type Vector = readonly number[];
interface Example {
  /** Features of each quotable sentence, and whether it contains an accepted answer. */
  sentences: { features: SentenceFeatures; hasAnswer: boolean }[];
  isAnswerable: boolean;
  weight: number;
}

const rounds = 600;
const learningRate = 0.05;
const regularisation = 1e-3;
/** The tests' questions are fewer, but closer to what people ask about their own documents. */
const testWeight = 3;
/** Share of the unanswerable questions that are answered at the default threshold of 0.25. */
const falseAnswers = 0.05;

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-fit-"));
  const fold = Number(process.argv.find((each) => each.startsWith("--fold="))?.split("=")[1] ?? 0);
  const sets = [...(await readQueryMode())];
  for (const language of xquadLanguages) {
    const set = await readXquad(language, { fold });
    if (set !== null) sets.push(set);
  }
  const examples: Example[] = [];
  for (const set of sets) examples.push(...(await examplesOf(set, join(folder, randomUUID()))));
  const rank = fit(
    rankFeatures,
    (weights, standard) => rankGradient(examples, weights, standard),
    examples,
  );
  console.log("rank", rank);
  const scored = examples.flatMap((example) => {
    const first = best(example, rank);
    return first === null ? [] : [{ ...example, first }];
  });
  const answered = fit(
    confidenceFeatures,
    (weights, standard) => confidenceGradient(scored, weights, standard),
    scored,
  );
  const logits = examples
    .filter(({ isAnswerable }) => !isAnswerable)
    .map((example) => ({
      logit: Math.max(...firstThree(example, rank).map((features) => score(features, answered))),
      weight: example.weight,
    }))
    .sort((a, b) => b.logit - a.logit);
  let left = falseAnswers * logits.reduce((sum, { weight }) => sum + weight, 0);
  const border = logits.find(({ weight }) => (left -= weight) <= 0)!.logit;
  console.log("confidence", answered, "bias", (-border - Math.log(3)).toFixed(2));
  await rm(folder, { recursive: true });
}

async function examplesOf(set: QuestionSet, folder: string): Promise<Example[]> {
  const store = await openLanceStore({ folder });
  const library = await openLibrary(store, 1, set.documents);
  const isTest = !set.name.startsWith("XQuAD");
  const ask = async ({ text, answers }: AskedQuestion, isAnswerable: boolean): Promise<Example> => {
    const { passages, searched } = await library.ask(text);
    const sentences = rateSentences({ question: text, previousQuestion: null, passages, searched })
      .filter(({ isQuotable, form }) => isQuotable && form !== "mail-header")
      .map(({ features, text: quoted }) => ({
        features,
        hasAnswer: containsAnswer([quoted], answers),
      }));
    return { sentences, isAnswerable, weight: isTest ? testWeight : 1 };
  };
  const examples: Example[] = [];
  for (const each of set.answerable) examples.push(await ask(each, true));
  for (const each of set.unanswerable) examples.push(await ask(each, false));
  await store.close();
  return examples;
}

type Weights = Record<string, number>;
const score = (features: SentenceFeatures, weights: Weights): number =>
  Object.entries(weights).reduce(
    (sum, [name, weight]) => sum + weight * features[name as keyof SentenceFeatures],
    0,
  );

function best({ sentences }: Example, weights: Weights): SentenceFeatures | null {
  return sentences.reduce<SentenceFeatures | null>(
    (most, { features }) =>
      most === null || score(features, weights) > score(most, weights) ? features : most,
    null,
  );
}

/** The sentences that may be quoted: `selectSentences` compares the surest with the threshold. */
function firstThree({ sentences }: Example, weights: Weights): SentenceFeatures[] {
  const ranked = sentences
    .map(({ features }) => ({ features, rank: score(features, weights) }))
    .sort((a, b) => b.rank - a.rank);
  return ranked
    .slice(0, 3)
    .filter(({ rank }) => rank >= ranked[0]!.rank + Math.log(minShareOfBest))
    .map(({ features }) => features);
}

/** Scales features to a deviation of 1, so that one rate of learning fits all. */
type Standard = (features: SentenceFeatures) => Vector;

function fit(
  names: readonly (keyof SentenceFeatures)[],
  gradient: (weights: Vector, standard: Standard) => Vector,
  examples: readonly Example[],
): Weights {
  const all = examples.flatMap(({ sentences }) => sentences.map(({ features }) => features));
  const deviations = names.map((name) => {
    const mean = all.reduce((sum, features) => sum + features[name], 0) / all.length;
    return Math.sqrt(all.reduce((sum, each) => sum + (each[name] - mean) ** 2, 0) / all.length);
  });
  const standard: Standard = (features) => [
    ...names.map((name, place) => features[name] / deviations[place]!),
    1,
  ];
  // Adam, over all examples at once.
  const weights = [...names, "bias"].map(() => 0),
    means = [...weights],
    squares = [...weights];
  for (let round = 1; round <= rounds; round++)
    for (const [place, slope] of gradient(weights, standard).entries()) {
      const step = slope + (place < names.length ? regularisation * weights[place]! : 0);
      means[place] = 0.9 * means[place]! + 0.1 * step;
      squares[place] = 0.99 * squares[place]! + 0.01 * step * step;
      const mean = means[place]! / (1 - 0.9 ** round),
        square = squares[place]! / (1 - 0.99 ** round);
      weights[place]! -= (learningRate * mean) / (Math.sqrt(square) + 1e-8);
    }
  return Object.fromEntries(
    names.map((name, place) => [name, Number((weights[place]! / deviations[place]!).toFixed(2))]),
  );
}

const dot = (a: Vector, b: Vector): number =>
  a.reduce((sum, value, place) => sum + value * b[place]!, 0);

const standardised = new Map<Example, Vector[]>();

/**
 * Gradient of the negative log-likelihood of choosing a sentence with the answer (conditional
 * logit).
 */
function rankGradient(examples: readonly Example[], weights: Vector, standard: Standard): Vector {
  const slopes = weights.map(() => 0);
  let total = 0;
  for (const example of examples) {
    if (!example.sentences.some(({ hasAnswer }) => hasAnswer)) continue;
    let vectors = standardised.get(example);
    if (vectors === undefined) {
      vectors = example.sentences.map(({ features }) => standard(features));
      standardised.set(example, vectors);
    }
    const odds = vectors.map((vector) => Math.exp(dot(weights, vector)));
    const all = odds.reduce((sum, each) => sum + each, 0);
    const right = odds.reduce(
      (sum, each, place) => sum + (example.sentences[place]!.hasAnswer ? each : 0),
      0,
    );
    for (const [place, vector] of vectors.entries()) {
      const part =
        odds[place]! / all - (example.sentences[place]!.hasAnswer ? odds[place]! / right : 0);
      for (const [name, value] of vector.entries()) slopes[name]! += example.weight * part * value;
    }
    total += example.weight;
  }
  return slopes.map((slope) => slope / total);
}

/**
 * Gradient of the negative log-likelihood of answering the answerable questions, and only those.
 */
function confidenceGradient(
  examples: readonly (Example & { first: SentenceFeatures })[],
  weights: Vector,
  standard: Standard,
): Vector {
  const slopes = weights.map(() => 0);
  let total = 0;
  for (const { first, isAnswerable, weight } of examples) {
    const vector = standard(first);
    const error = 1 / (1 + Math.exp(-dot(weights, vector))) - (isAnswerable ? 1 : 0);
    for (const [name, value] of vector.entries()) slopes[name]! += weight * error * value;
    total += weight;
  }
  return slopes.map((slope) => slope / total);
}

await main();
process.exit(0);
