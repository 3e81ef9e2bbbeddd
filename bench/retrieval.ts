import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RerankModel } from "@carrel/providers";
import {
  chunkTerms,
  coverageDepth,
  detectLanguage,
  rankCandidates,
  scoreByCoverage,
  searchCandidates,
  splitText,
  type RankedChunk,
} from "@carrel/retrieval";
import { normalisedGain } from "@carrel/testing";
import { openLanceStore, type VectorIndex, type VectorStore } from "@carrel/vector-store";
import { readCollection, readTestQuestions, type Judged } from "./judged-questions.ts";
import { madeUpEmbedders } from "./retrieval-embedders.ts";

/*
 * Retrieval quality through the product's own code: splitter, analyser, LanceDB, ranking, fusion
 * and reranking as ingest calls them, for each mode, with embedders of varying quality: hybrid
 * search must never score below full-text search alone. Two kinds of collection: Cranfield (many
 * relevant texts per question; another with `--collection=<folder>`), and the tests' questions,
 * each answered by one passage.
 */
const workspaceId = 1;
const depth = 100;
/** Number of passages a chat requests. */
const chatTopN = 4;

/**
 * What this benchmark needs from an embedding model; EmbeddingModel in @carrel/providers satisfies
 * it.
 */
interface Embedder {
  name: string;
  model: string;
  dimensions: number | null;
  batchSize: number;
  embed(texts: string[], kind: "passage" | "query", signal: AbortSignal): Promise<Float32Array[]>;
}
interface Chunk {
  id: string;
  documentId: string;
  text: string;
  title: string;
  terms: string[];
}
interface Indexed extends Judged {
  store: VectorStore;
  chunks: Map<string, Chunk>;
  vectors: Map<Embedder, { index: VectorIndex; questions: Float32Array[] }>;
}
interface Mode {
  name: string;
  embedder?: Embedder;
  text: boolean;
  expansion: boolean;
  rerank?: "built-in" | RerankModel;
  topN?: number;
}

async function main(): Promise<void> {
  const [native, reranker] = await Promise.all([openNativeEmbedder(), openReranker()]);
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  for (const judged of [await readCollection(), await readTestQuestions()]) {
    if (judged === null) continue;
    const madeUp = madeUpEmbedders(judged.documents.map(({ text }) => text));
    const embedders = [
      ...madeUp.map(({ name, dimensions, embed }): Embedder => ({
        name,
        model: name,
        dimensions,
        batchSize: 1_000,
        embed: (texts) => Promise.resolve(texts.map(embed)),
      })),
      ...(native === null ? [] : [native]),
    ];
    const indexed = await index(judged, embedders, join(folder, randomUUID()));
    console.log(
      `\n${judged.name}: ${judged.documents.length} documents, ${judged.questions.length} questions; ${indexed.chunks.size} chunks of 1000 characters, overlap 20 (defaults)`,
    );
    console.log(
      [
        "mode".padEnd(52),
        ...["nDCG@10", "recall@100", "p50 ms", "p95 ms"].map((head) => head.padEnd(11)),
      ].join(""),
    );
    const gains = new Map<string, number>();
    for (const mode of modesOf(embedders, reranker)) {
      const { line, gain } = await measure(indexed, mode);
      console.log(line);
      gains.set(mode.name, gain);
    }
    const against = (topN?: number): string =>
      embedders
        .map(({ name }) =>
          signed(gains.get(hybridName(name, topN))! - gains.get(textName(topN))!, name),
        )
        .join(", ");
    console.log(
      `hybrid against text alone, nDCG@10: ${against()}; as a chat asks: ${against(chatTopN)}`,
    );
    for (const { name, about } of madeUp) console.log(`  "${name}": ${about}`);
    await indexed.store.close();
  }
  if (native === null)
    console.log(
      "\nnative embedder: not measured, its model is not there (CARREL_MODELS_DIR names a folder that holds it)",
    );
  if (reranker === null)
    console.log("native reranker: not measured, its model is not there (CARREL_MODELS_DIR)");
  await rm(folder, { recursive: true });
}

const signed = (difference: number, name: string): string =>
  `${name} ${difference < 0 ? "−" : "+"}${Math.abs(difference).toFixed(4)}`;
const asked = (topN?: number): string =>
  topN === undefined ? "" : `, as a chat asks (${topN} passages)`;
const textName = (topN?: number): string => `text${asked(topN)}`;
const hybridName = (embedder: string, topN?: number): string =>
  `hybrid (${embedder})${asked(topN)}`;

function modesOf(embedders: Embedder[], reranker: RerankModel | null): Mode[] {
  const text = { text: true, expansion: true };
  const modes: Mode[] = [
    { name: "text, expansion off", text: true, expansion: false },
    { name: textName(), ...text },
    { name: textName(chatTopN), ...text, topN: chatTopN },
    { name: "text, rerank built-in", ...text, rerank: "built-in" },
  ];
  for (const embedder of embedders) {
    modes.push(
      { name: `dense (${embedder.name})`, embedder, text: false, expansion: false },
      { name: `hybrid (${embedder.name}), expansion off`, embedder, text: true, expansion: false },
      { name: hybridName(embedder.name), embedder, ...text },
      { name: hybridName(embedder.name, chatTopN), embedder, ...text, topN: chatTopN },
      { name: `hybrid (${embedder.name}), rerank built-in`, embedder, ...text, rerank: "built-in" },
    );
  }
  if (reranker !== null) modes.push({ name: "text, rerank native", ...text, rerank: reranker });
  return modes;
}

async function measure(indexed: Indexed, mode: Mode): Promise<{ line: string; gain: number }> {
  let gain = 0,
    recall = 0;
  const times: number[] = [];
  const dense = mode.embedder === undefined ? undefined : indexed.vectors.get(mode.embedder);
  for (const [place, question] of indexed.questions.entries()) {
    const begun = performance.now();
    const candidates = await searchCandidates(
      { text: mode.text ? indexed.store.text : null, vectors: dense?.index ?? null },
      {
        workspaceId,
        question: question.text,
        vector: dense?.questions[place] ?? null,
        topN: mode.topN ?? depth,
      },
    );
    const { chunks } = rankCandidates(candidates, undefined, { expansion: mode.expansion });
    const ordered =
      mode.rerank === undefined
        ? chunks
        : await rerank(indexed, mode.rerank, question.text, chunks);
    // A document ranks by its first, best chunk.
    const found = [
      ...new Set(ordered.map((chunk) => indexed.chunks.get(chunk.id)!.documentId)),
    ].slice(0, depth);
    times.push(performance.now() - begun);
    gain += normalisedGain(found, question.wanted);
    recall += found.filter((id) => question.wanted.has(id)).length / question.wanted.size;
  }
  times.sort((a, b) => a - b);
  const at = (part: number): string => times[Math.floor(times.length * part)]!.toFixed(1);
  return {
    gain: gain / times.length,
    line: [
      mode.name.padEnd(52),
      ...[
        (gain / times.length).toFixed(4),
        (recall / times.length).toFixed(4),
        at(0.5),
        at(0.95),
      ].map((cell) => cell.padEnd(11)),
    ].join(""),
  };
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

async function index(judged: Judged, embedders: Embedder[], folder: string): Promise<Indexed> {
  const store = await openLanceStore({ folder });
  const chunks = judged.documents.flatMap((document): Chunk[] => {
    const language = detectLanguage(document.text);
    return splitText({ text: document.text }).map((chunk) => {
      const text = document.text.slice(chunk.start, chunk.end);
      return {
        id: randomUUID(),
        documentId: document.id,
        title: document.title,
        text,
        terms: chunkTerms({
          text,
          title: document.title,
          headingPath: chunk.headingPath,
          language,
        }),
      };
    });
  });
  await store.text.upsert(
    chunks.map(({ id, documentId, terms }) => ({ id, workspaceId, documentId, version: 1, terms })),
  );
  const vectors: Indexed["vectors"] = new Map();
  const { signal } = new AbortController();
  for (const embedder of embedders) {
    const target = store.vectors({ model: embedder.model, dimensions: embedder.dimensions ?? 384 });
    for (let start = 0; start < chunks.length; start += embedder.batchSize) {
      const batch = chunks.slice(start, start + embedder.batchSize);
      const embedded = await embedder.embed(
        batch.map(({ text }) => text),
        "passage",
        signal,
      );
      await target.upsert(
        batch.map(({ id, documentId }, place) => ({
          id,
          workspaceId,
          documentId,
          version: 1,
          vector: embedded[place]!,
        })),
      );
    }
    const questions: Float32Array[] = [];
    for (const { text } of judged.questions)
      questions.push((await embedder.embed([text], "query", signal))[0]!);
    vectors.set(embedder, { index: target, questions });
  }
  await store.optimize();
  return { ...judged, store, chunks: new Map(chunks.map((chunk) => [chunk.id, chunk])), vectors };
}

async function openNativeEmbedder(): Promise<Embedder | null> {
  const modelsDir = process.env["CARREL_MODELS_DIR"];
  if (!modelsDir || !existsSync(modelsDir)) return null;
  const { createEmbeddingModel } = await import("@carrel/providers");
  const native = createEmbeddingModel("native", {}, { modelsDir, hub: null });
  if ((await native.files?.state())?.status !== "ready") return null;
  return {
    name: "native",
    model: native.model,
    dimensions: native.dimensions,
    batchSize: native.batchSize,
    embed: (texts, kind, signal) => native.embed(texts, kind, signal),
  };
}

async function openReranker(): Promise<RerankModel | null> {
  const modelsDir = process.env["CARREL_MODELS_DIR"];
  if (!modelsDir || !existsSync(modelsDir)) return null;
  const { NativeRerankModel } = await import("@carrel/providers");
  const model = new NativeRerankModel({ modelsDir, hub: null });
  return (await model.isReady()) ? model : null;
}

await main();
