import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  chunkTerms,
  detectLanguage,
  rankCandidates,
  searchCandidates,
  splitText,
} from "@carrel/retrieval";
import { Collection, normalisedGain } from "@carrel/testing";
import { openLanceStore, type VectorStore } from "@carrel/vector-store";
import { contextsOf, mergeReadings, questionsBefore } from "../src/retrieval/follow-up.ts";
import { passageOf } from "../test/factories/passage.ts";
import { followUps } from "./follow-up-questions.ts";

/*
 * Benchmarks follow-up questions: how well the second of two questions finds its text, alone and
 * with the conversation context chat adds; and what that context costs standalone questions
 * (Cranfield's own, each following the previous one). Uses only the built-in full-text index.
 */
const collection = new Collection(
  resolve(
    process.argv.slice(2).find((argument) => !argument.startsWith("-")) ??
      join(import.meta.dirname, "../../../../shared/data/cranfield"),
  ),
);
const workspaceId = 1;
const cutoff = 10;
/** A workspace's default. */
const sourcesOfAnswer = 4;
const row = (what: string, figure: string, how: string, goal = ""): void =>
  console.log(JSON.stringify({ what, figure, how, goal, reach: "" }));

async function main(): Promise<void> {
  if (!collection.exists) {
    console.log(
      `bench:follow-up: no collection at ${collection.folder} (corpus.jsonl, queries.jsonl, qrels.tsv); nothing measured. Give a folder as argument.`,
    );
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-"));
  const store = await openLanceStore({ folder });
  const documentOf = await index(store);
  const search = async (question: string, context: string | null = null): Promise<string[]> => {
    const candidates = await searchCandidates(
      { text: store.text, vectors: null },
      { workspaceId, question, previousQuestion: context, vector: null, topN: cutoff * 2 },
    );
    return [
      ...new Set(rankCandidates(candidates).chunks.map((chunk) => documentOf.get(chunk.id)!)),
    ].slice(0, cutoff);
  };
  const find = (question: string): Promise<string[]> => search(question);
  const withConversation = async (
    question: string,
    earlier: string[],
    topN = cutoff,
  ): Promise<string[]> => {
    const contexts = contextsOf(question, questionsBefore(earlier));
    const readings = await Promise.all(
      contexts.map(async (context) => ({
        context,
        passages: (await search(question, context)).map((documentId) => passageOf({ documentId })),
        searched: [],
      })),
    );
    return mergeReadings(readings, topN).map(({ documentId }) => documentId);
  };

  const alone = { gain: 0, found: 0 },
    joined = { gain: 0, found: 0 },
    third = { gain: 0, found: 0 };
  for (const { first, second, document } of followUps) {
    const wanted = new Set([document]);
    for (const [sum, search] of [
      [alone, async (topN: number) => (await find(second)).slice(0, topN)],
      [joined, (topN: number) => withConversation(second, [first], topN)],
      [
        third,
        (topN: number) =>
          withConversation("And what else is said about that?", [first, second], topN),
      ],
    ] as const) {
      sum.gain += normalisedGain(await search(cutoff), wanted);
      sum.found += (await search(sourcesOfAnswer)).includes(document) ? 1 : 0;
    }
  }
  const figure = ({ gain, found }: { gain: number; found: number }): string =>
    `nDCG@10 ${(gain / followUps.length).toFixed(3)}, right text among the ${sourcesOfAnswer} sources of an answer: ${Math.round((found / followUps.length) * 100)} %`;
  row(
    "follow-up questions, alone",
    figure(alone),
    `${followUps.length} two-turn questions on Cranfield texts, text index`,
  );
  row(
    "follow-up questions, with the conversation",
    figure(joined),
    "the same; the question before is taken along as chat does it",
  );

  row(
    "a third question that leans on the second",
    figure(third),
    "the same, then “And what else is said about that?”",
  );

  const [relevant, queries] = await Promise.all([collection.relevant(), collection.questions()]);
  let before = 0,
    after = 0,
    judged = 0;
  for (const [place, query] of queries.entries()) {
    const wanted = relevant.get(query.id);
    if (!wanted?.size || place === 0) continue;
    judged += 1;
    before += normalisedGain(await find(query.text), wanted);
    after += normalisedGain(await withConversation(query.text, [queries[place - 1]!.text]), wanted);
  }
  row(
    "questions that stand alone, first of a thread",
    `nDCG@10 ${(before / judged).toFixed(3)}`,
    `${judged} of Cranfield's own questions, text index`,
  );
  row(
    "questions that stand alone, after another question",
    `nDCG@10 ${(after / judged).toFixed(3)}`,
    "the same, each after the question before it in the list",
    "no worse than as the first",
  );
  await store.close();
  await rm(folder, { recursive: true });
}

async function index(store: VectorStore): Promise<Map<string, string>> {
  const documentOf = new Map<string, string>();
  const chunks = (await collection.documents()).flatMap((document) => {
    const language = detectLanguage(document.text);
    return splitText({ text: document.text }).map((chunk) => {
      const id = randomUUID();
      documentOf.set(id, document.id);
      return {
        id,
        workspaceId,
        documentId: document.id,
        version: 1,
        terms: chunkTerms({
          text: document.text.slice(chunk.start, chunk.end),
          title: document.title,
          headingPath: chunk.headingPath,
          language,
        }),
      };
    });
  });
  await store.text.upsert(chunks);
  await store.optimize();
  return documentOf;
}

await main();
