/**
 * Hybrid search among 100,000 chunks of one workspace in LanceDB, through the product's own search
 * and ranking: before and after the vector index is built, with vector recall against exhaustive
 * comparison. Text and vectors are synthetic: words by the topic's frequencies, vectors around the
 * topic's centre. Figures are the median p95 of three rounds.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chunkTerms, rankCandidates, searchCandidates } from "@carrel/retrieval";
import { openLanceStore, type VectorIndex, type VectorStore } from "@carrel/vector-store";
import { quantile } from "./client.ts";

const chunkCount = 100_000,
  dimensions = 384,
  topicCount = 400,
  questionCount = 60,
  rounds = 3;
const workspaceId = 1;
const model = { model: "bench/made-up", dimensions };
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));

let state = 42;
/** Reproducible, 0 to 1 (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
}
const normal = (): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const unit = (vector: Float32Array): Float32Array => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/**
 * Words about as long as English ones; frequent ones come first. A fifth of a chunk's words come
 * from its topic.
 */
const syllables = [
  "ba",
  "de",
  "ki",
  "lo",
  "mu",
  "na",
  "pe",
  "ri",
  "so",
  "tu",
  "va",
  "we",
  "zan",
  "tor",
  "mel",
  "gri",
];
const vocabulary = Array.from({ length: 30_000 }, (_, n) => {
  let word = "";
  for (let rest = n + 16; rest > 0; rest = Math.floor(rest / 16))
    word = syllables[rest % 16] + word;
  return word;
});
const common = (): number =>
  Math.min(vocabulary.length - 1, Math.floor(Math.exp(random() * Math.log(vocabulary.length))) - 1);
const topics = Array.from({ length: topicCount }, () => ({
  words: Array.from({ length: 60 }, () => 200 + Math.floor(random() * (vocabulary.length - 200))),
  centre: unit(Float32Array.from({ length: dimensions }, normal)),
}));
const wordOf = (topic: number): string =>
  vocabulary[random() < 0.2 ? topics[topic]!.words[Math.floor(random() ** 2 * 60)]! : common()]!;
const vectorNear = (centre: Float32Array, spread: number): Float32Array =>
  unit(centre.map((value) => value + (spread * normal()) / Math.sqrt(dimensions)));

interface Question {
  text: string;
  vector: Float32Array;
  nearest: string[];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "carrel-bench-scale-"));
  const store = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
  try {
    await measure(store);
  } finally {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(store: VectorStore): Promise<void> {
  const ids = Array.from({ length: chunkCount }, () => randomUUID());
  const all = new Float32Array(chunkCount * dimensions);
  // Analysed once per word, because chunks share the same vocabulary.
  const termsOf = new Map(
    vocabulary.map((word) => [
      word,
      chunkTerms({ text: word, title: "", headingPath: [], language: "en" }).slice(2),
    ]),
  );
  const vectors = store.vectors(model);
  const begun = performance.now();
  for (let start = 0; start < chunkCount; start += 10_000) {
    await store.text.upsert(
      Array.from({ length: 10_000 }, (_, n) => {
        const topic = (start + n) % topicCount;
        all.set(vectorNear(topics[topic]!.centre, 1), (start + n) * dimensions);
        return {
          id: ids[start + n]!,
          workspaceId,
          documentId: `document${Math.floor((start + n) / 50)}`,
          version: 1,
          terms: [
            "§en",
            "|",
            ...Array.from({ length: 110 }, () => termsOf.get(wordOf(topic))!).flat(),
          ],
        };
      }),
      { first: true },
    );
  }
  await store.optimize();
  const written = performance.now();
  for (let start = 0; start < chunkCount; start += 10_000) {
    await vectors.upsert(
      Array.from({ length: 10_000 }, (_, n) => ({
        id: ids[start + n]!,
        workspaceId,
        documentId: `document${Math.floor((start + n) / 50)}`,
        version: 1,
        vector: all.subarray((start + n) * dimensions, (start + n + 1) * dimensions),
      })),
      { first: true },
    );
  }
  console.log(
    `text of ${chunkCount} chunks written and indexed in ${((written - begun) / 1000).toFixed(0)} s, vectors written in ${((performance.now() - written) / 1000).toFixed(0)} s`,
  );
  const questions = Array.from({ length: questionCount }, (_, n): Question => {
    const topic = (n * 7) % topicCount;
    return {
      text: `What does ${Array.from({ length: 7 }, () => wordOf(topic)).join(" ")} say?`,
      vector: vectorNear(topics[topic]!.centre, 1.2),
      nearest: [],
    };
  });
  for (const question of questions) question.nearest = nearest(all, ids, question.vector);

  const before = await time(store, vectors, questions);
  const indexing = performance.now();
  await store.optimize();
  console.log(`vector index built in ${((performance.now() - indexing) / 1000).toFixed(0)} s`);
  const after = await time(store, vectors, questions);
  let found = 0;
  for (const { vector, nearest: wanted } of questions)
    found += (await vectors.search({ workspaceId, vector, limit: 10 })).filter((hit) =>
      wanted.includes(hit.id),
    ).length;
  const how = `one workspace of ${chunkCount} chunks × ${dimensions}, LanceDB, ${questionCount} questions × ${rounds} rounds`;
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  print({
    what: "hybrid search at 100,000 chunks, p95",
    how: `${how}; p50 ${after.p50.toFixed(1)} ms, first one ${after.first.toFixed(0)} ms; text alone p95 ${after.text.toFixed(1)}, vectors alone ${after.dense.toFixed(1)}; ${after.cpu.toFixed(0)} ms of CPU a search, whatever else the machine does; process ${memory} MB`,
    figure: `${after.p95.toFixed(1)} ms`,
    reach: "40 ms",
    goal: "25 ms",
  });
  print({
    what: "… its vectors, recall@10 against exhaustive search",
    how,
    figure: (found / (questionCount * 10)).toFixed(3),
    reach: "0.95",
    goal: "0.99",
  });
  print({
    what: "… before the vector index is built, p95",
    how: `${how}; p50 ${before.p50.toFixed(1)} ms, first one ${before.first.toFixed(0)} ms; text alone p95 ${before.text.toFixed(1)}, vectors alone ${before.dense.toFixed(1)}; ${before.cpu.toFixed(0)} ms of CPU a search`,
    figure: `${before.p95.toFixed(1)} ms`,
    reach: "90 ms",
    goal: "60 ms",
  });
}

/** Ids of the ten nearest vectors by exhaustive comparison. */
function nearest(all: Float32Array, ids: string[], question: Float32Array): string[] {
  const best: { score: number; row: number }[] = [];
  for (let row = 0; row < ids.length; row++) {
    let score = 0;
    for (let i = 0, at = row * dimensions; i < dimensions; i++)
      score += all[at + i]! * question[i]!;
    if (best.length < 10 || score > best.at(-1)!.score) {
      best.push({ score, row });
      best.sort((a, b) => b.score - a.score);
      best.length = Math.min(best.length, 10);
    }
  }
  return best.map(({ row }) => ids[row]!);
}

async function time(
  store: VectorStore,
  vectors: VectorIndex,
  questions: Question[],
): Promise<{ first: number; p50: number; p95: number; text: number; dense: number; cpu: number }> {
  const once = async (question: Question, half: "text" | "dense" | "hybrid"): Promise<number> => {
    const begun = performance.now();
    const candidates = await searchCandidates(
      { text: half === "dense" ? null : store.text, vectors: half === "text" ? null : vectors },
      { workspaceId, question: question.text, vector: question.vector, topN: 4 },
    );
    const { chunks } = rankCandidates(candidates);
    if (chunks.length === 0) throw new Error("nothing was found");
    return performance.now() - begun;
  };
  const first = await once(questions[0]!, "hybrid");
  // Warm up: the first searches read rows ahead, as in a running instance.
  for (const question of questions.slice(0, 10)) await once(question, "hybrid");
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  let cpu = 0;
  const measured = { hybrid: [] as number[][], text: [] as number[][], dense: [] as number[][] };
  for (let round = 0; round < rounds; round++) {
    for (const half of ["hybrid", "text", "dense"] as const) {
      const times: number[] = [];
      const before = process.cpuUsage();
      for (const question of questions) times.push(await once(question, half));
      const used = process.cpuUsage(before);
      if (half === "hybrid") cpu += (used.user + used.system) / 1_000 / questions.length / rounds;
      measured[half].push(times);
    }
  }
  const median = (half: keyof typeof measured, part: number): number =>
    quantile(
      measured[half].map((times) => quantile(times, part)),
      0.5,
    );
  return {
    first,
    p50: median("hybrid", 0.5),
    p95: median("hybrid", 0.95),
    text: median("text", 0.95),
    dense: median("dense", 0.95),
    cpu,
  };
}

await main();
