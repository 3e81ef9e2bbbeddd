import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RerankModel } from "@carrel/providers";
import {
  coverageDepth,
  rankCandidates,
  scoreByCoverage,
  searchCandidates,
  type RankedChunk,
} from "@carrel/retrieval";
import { normalisedGain } from "@carrel/testing";
import { measureAnswers } from "./answers.ts";
import { modelsDir, openNativeEmbedder } from "./cached-embedder.ts";
import { indexCollection, selfCheck, workspaceId, type Indexed } from "./indexed-collection.ts";
import {
  readArticles,
  readCollections,
  readTestQuestions,
  type Judged,
} from "./judged-questions.ts";

/*
 * Retrieval quality through the product's own code: splitter, analyser, LanceDB, ranking, fusion
 * and reranking as ingest calls them, with the built-in embedder. Collections with many relevant
 * texts per question (Cranfield and CISI; another with `--collection=<folder>`), articles in five
 * languages whose questions one paragraph answers, and the tests' questions, each answered by one
 * passage.
 */
/** Number of passages requested; the first ten are judged. */
const topN = 10;
const defaultThreshold = 0.25;
const resamples = 2_000;
/** Questions are also measured by their number of words, up to these. */
const lengths = [10, 20, 40, Infinity];

interface Mode {
  name: string;
  text: boolean;
  dense: boolean;
  /** Searches vectors in languages that the model wasn't trained on, too. */
  untrained?: boolean;
  rerank?: "built-in" | RerankModel;
}
interface Measured {
  /** nDCG@10 of each question. */
  gains: number[];
  /** For each question, whether the first hit is right. */
  firsts: number[];
  /** Share of questions without a hit above the threshold. */
  withoutResult: number;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  if (!process.argv.includes("--only=answers")) await measureRanking(folder);
  if (!process.argv.includes("--only=ranking")) await measureAnswers(folder);
  await rm(folder, { recursive: true });
}

async function measureRanking(folder: string): Promise<void> {
  const [native, reranker] = await Promise.all([openNativeEmbedder(), openReranker()]);
  if (native === null)
    console.log("dense and hybrid: not measured, the built-in embedder's model is missing");
  if (reranker === null) console.log("native reranker: not measured, its model is missing");
  for (const judged of [
    ...(await readCollections()),
    ...(await readArticles()),
    await readTestQuestions(),
  ]) {
    const indexed = await indexCollection(judged, native, join(folder, randomUUID()));
    console.log(
      `\n${judged.name}: ${judged.documents.length} documents, ${judged.questions.length} questions, ${indexed.chunks.size} chunks; nDCG@10 [95 %], first hit right, and nDCG@10 by words in the question`,
    );
    if (native !== null) console.log(`  self-check: ${await selfCheck(indexed, native)}`);
    const gains = new Map<string, number[]>();
    for (const mode of modesOf(native !== null, reranker)) {
      const { gains: gain, firsts, withoutResult } = await measure(indexed, mode);
      gains.set(mode.name, gain);
      const first = `${(100 * mean(firsts)).toFixed(1)} %`.padStart(7);
      const without = `${(100 * withoutResult).toFixed(1)} %`;
      console.log(
        `  ${mode.name.padEnd(28)}${interval(gain)} ${first}   ${byLength(judged, gain)}   without result: ${without}`,
      );
    }
    for (const [better, worse] of compared) {
      const [a, b] = [gains.get(better), gains.get(worse)];
      if (a !== undefined && b !== undefined)
        console.log(
          `  ${better} − ${worse}: ${interval(a.map((gain, place) => gain - b[place]!))}`,
        );
    }
    await indexed.store.close();
  }
}

const compared: [string, string][] = [
  ["text", "text, no expansion"],
  ["hybrid", "text"],
  ["hybrid", "dense"],
  ["hybrid", "hybrid, not reranked"],
  ["hybrid", "hybrid, any language"],
  ["hybrid, native reranker", "hybrid"],
];

function modesOf(hasVectors: boolean, reranker: RerankModel | null): Mode[] {
  const hybrid = { text: true, dense: true };
  return [
    { name: "text, no expansion", text: true, dense: false },
    { name: "text", text: true, dense: false },
    ...(hasVectors
      ? [
          { name: "dense", text: false, dense: true },
          { name: "hybrid, not reranked", ...hybrid },
          { name: "hybrid, any language", ...hybrid, untrained: true, rerank: "built-in" as const },
          { name: "hybrid", ...hybrid, rerank: "built-in" as const },
        ]
      : [{ name: "text, reranked", text: true, dense: false, rerank: "built-in" as const }]),
    ...(hasVectors && reranker !== null
      ? [{ name: "hybrid, native reranker", ...hybrid, rerank: reranker }]
      : []),
  ];
}

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** Mean with its bootstrap interval; for differences, the paired one. */
function interval(values: readonly number[]): string {
  let state = 1;
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
  const means = Array.from({ length: resamples }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)]!)),
  ).sort((a, b) => a - b);
  const at = (part: number): string => means[Math.floor(part * resamples)]!.toFixed(4);
  return `${mean(values).toFixed(4)} [${at(0.025)}, ${at(0.975)}]`;
}

const byLength = ({ questions }: Judged, gain: readonly number[]): string =>
  lengths
    .flatMap((most, place) => {
      const least = lengths[place - 1] ?? 0;
      const some = gain.filter((_, question) => {
        const words = questions[question]!.text.split(/\s+/).length;
        return words > least && words <= most;
      });
      const range = most === Infinity ? `over ${least}` : `${least + 1}–${most}`;
      return some.length === 0 ? [] : [`${range}: ${mean(some).toFixed(3)} (${some.length})`];
    })
    .join("  ");

async function measure(indexed: Indexed, mode: Mode): Promise<Measured> {
  const gains: number[] = [];
  const firsts: number[] = [];
  let without = 0;
  const untrained = indexed.dense?.untrained ?? new Set();
  const withoutVectors = mode.text && mode.untrained !== true ? untrained : new Set<string>();
  // As in the product, which doesn't embed a question that no vector can answer.
  const dense = withoutVectors.size === indexed.chunks.size || !mode.dense ? null : indexed.dense;
  for (const [place, question] of indexed.questions.entries()) {
    const candidates = await searchCandidates(
      {
        text: mode.text ? indexed.store.text : null,
        vectors: dense?.index ?? null,
      },
      {
        workspaceId,
        question: question.text,
        vector: dense?.questions[place] ?? null,
        topN,
      },
    );
    const { chunks } = rankCandidates(candidates, undefined, {
      expansion: mode.name !== "text, no expansion",
      withoutVectors,
    });
    if (!chunks.some(({ score }) => score >= defaultThreshold)) without++;
    const ordered =
      mode.rerank === undefined || (mode.dense && dense === null)
        ? chunks
        : await rerank(indexed, mode.rerank, question.text, chunks);
    // A document ranks by its first, best chunk.
    const found = ordered.map((chunk) => indexed.chunks.get(chunk.id)!.judgedIds);
    gains.push(normalisedGain([...new Set(found.flat())], question.wanted));
    firsts.push(found[0]?.some((id) => question.wanted.has(id)) ? 1 : 0);
  }
  return { gains, firsts, withoutResult: without / gains.length };
}

async function rerank(
  indexed: Indexed,
  by: "built-in" | RerankModel,
  question: string,
  chunks: RankedChunk[],
): Promise<RankedChunk[]> {
  const first = chunks.slice(0, by === "built-in" ? coverageDepth : by.maxTexts);
  const scores =
    by === "built-in"
      ? scoreByCoverage(first)
      : await by.score(
          question,
          first.map(({ id }) => ({
            text: indexed.chunks.get(id)!.text,
            title: indexed.chunks.get(id)!.title,
            headingPath: [],
          })),
          new AbortController().signal,
        );
  const ordered = first
    .map((chunk, place) => ({ chunk, score: scores[place]! }))
    .sort((a, b) => b.score - a.score)
    .map(({ chunk }) => chunk);
  return [...ordered, ...chunks.slice(first.length)];
}

async function openReranker(): Promise<RerankModel | null> {
  if (modelsDir === null) return null;
  const { NativeRerankModel } = await import("@carrel/providers");
  const model = new NativeRerankModel({ modelsDir, hub: null });
  return (await model.isReady()) ? model : null;
}

await main();
process.exit(0);
