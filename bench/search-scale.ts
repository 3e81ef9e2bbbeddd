/**
 * Hybrid search among 100,000 and 300,000 chunks of one workspace in LanceDB, through the product's
 * own search and ranking, in a separate process: the first search after a start, searches in memory,
 * and searches while chunks are written, with vector recall against exhaustive comparison. `./carrel
 * bench search-scale --chunks=300000` measures one size. Text and vectors are synthetic: words by the
 * topic's frequencies, vectors around the topic's centre. Figures are medians of three rounds.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { promisify } from "node:util";
import { restartWithAllocator } from "@carrel/config";
import { rankCandidates, searchCandidates } from "@carrel/retrieval";
import { openLanceStore, type VectorStore } from "@carrel/vector-store";
import { quantile } from "./client.ts";
import { dimensions, makeTerms, makeVector, topicCount, wordOf } from "./search-scale-data.ts";

const option = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const sizes = option("chunks")?.split(",").map(Number) ?? [100_000, 300_000];
const questionCount = 60,
  rounds = 3;
const workspaceId = 1;
const model = { model: "bench/made-up", dimensions };
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));

interface Question {
  text: string;
  vector: number[];
  nearest: string[];
}
interface Figures {
  first: number;
  loaded: number;
  hybrid: { p50: number; p95: number };
  text: number;
  dense: number;
  cpu: number;
  amid: { p95: number; delay: number; chunks: number };
  recall: number;
  memory: { idle: number; peak: number };
}

async function main(): Promise<void> {
  const folder = option("folder");
  if (folder !== undefined) restartWithAllocator();
  if (folder !== undefined) return console.log(JSON.stringify(await measure(folder)));
  for (const size of sizes) {
    const made = await mkdtemp(join(tmpdir(), "carrel-bench-scale-"));
    try {
      await write(made, size);
      // Started as this process was, with its loader.
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [...process.execArgv, import.meta.filename, `--folder=${made}`],
        { maxBuffer: 1e8 },
      );
      report(size, JSON.parse(stdout.trim().split("\n").at(-1)!) as Figures);
    } finally {
      await rm(made, { recursive: true, force: true });
    }
  }
}

/** Writes the index and `questions.json`. */
async function write(folder: string, chunkCount: number): Promise<void> {
  const store = await openLanceStore({ folder, optimizeEveryMs: 1e9 });
  const ids = Array.from({ length: chunkCount }, () => randomUUID());
  const all = new Float32Array(chunkCount * dimensions);
  const vectors = store.vectors(model);
  const begun = performance.now();
  for (let start = 0; start < chunkCount; start += 10_000) {
    const rows = Array.from({ length: 10_000 }, (_, n) => {
      const topic = (start + n) % topicCount;
      const from = (start + n) * dimensions;
      all.set(makeVector(topic, 1), from);
      return {
        id: ids[start + n]!,
        workspaceId,
        documentId: `document${Math.floor((start + n) / 50)}`,
        version: 1,
        terms: makeTerms(topic),
        vector: all.subarray(from, from + dimensions),
      };
    });
    await Promise.all([
      store.text.upsert(rows, { first: true }),
      vectors.upsert(rows, { first: true }),
    ]);
  }
  const written = performance.now();
  await store.optimize();
  console.log(
    `${chunkCount} chunks made and written in ${((written - begun) / 1000).toFixed(0)} s, indexed in ${((performance.now() - written) / 1000).toFixed(0)} s`,
  );
  await store.close();
  const questions = Array.from({ length: questionCount }, (_, n): Question => {
    const topic = (n * 7) % topicCount;
    const vector = makeVector(topic, 1.2);
    return {
      text: `What does ${Array.from({ length: 7 }, () => wordOf(topic)).join(" ")} say?`,
      vector: [...vector],
      nearest: nearest(all, ids, vector),
    };
  });
  await writeFile(join(folder, "questions.json"), JSON.stringify(questions));
}

async function measure(folder: string): Promise<Figures> {
  const questions = JSON.parse(
    await readFile(join(folder, "questions.json"), "utf8"),
  ) as Question[];
  const begun = performance.now();
  const store = await openLanceStore({ folder });
  const vectors = store.vectors(model);
  const search = async (question: Question, half: "text" | "dense" | "hybrid" = "hybrid") => {
    const started = performance.now();
    const candidates = await searchCandidates(
      { text: half === "dense" ? null : store.text, vectors: half === "text" ? null : vectors },
      { workspaceId, question: question.text, vector: Float32Array.from(question.vector), topN: 4 },
    );
    if (rankCandidates(candidates).chunks.length === 0) throw new Error("nothing was found");
    return performance.now() - started;
  };
  await search(questions[0]!);
  const first = performance.now() - begun;
  // The index is in memory once searches are as fast as they get.
  const isSlow = async (): Promise<boolean> => {
    const statistics = await store.text.statistics({ workspaceId, terms: [] });
    return statistics.isSample === true || (await search(questions[1]!, "dense")) > first / 4;
  };
  while ((await isSlow()) && performance.now() - begun < 120_000)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const loaded = performance.now() - begun;
  await new Promise((resolve) => setTimeout(resolve, 3_000));

  let cpu = 0,
    found = 0;
  const measured = { hybrid: [] as number[][], text: [] as number[][], dense: [] as number[][] };
  for (let round = 0; round < rounds; round++) {
    for (const half of ["hybrid", "text", "dense"] as const) {
      const times: number[] = [];
      const before = process.cpuUsage();
      for (const question of questions) times.push(await search(question, half));
      const used = process.cpuUsage(before);
      if (half === "hybrid") cpu += (used.user + used.system) / 1_000 / questions.length / rounds;
      measured[half].push(times);
    }
  }
  for (const { vector, nearest: wanted } of questions)
    found += (
      await vectors.search({ workspaceId, vector: Float32Array.from(vector), limit: 10 })
    ).filter((hit) => wanted.includes(hit.id)).length;
  const idle = process.memoryUsage.rss();
  const median = (half: keyof typeof measured, part: number): number =>
    quantile(
      measured[half].map((times) => quantile(times, part)),
      0.5,
    );
  return {
    first,
    loaded,
    hybrid: { p50: median("hybrid", 0.5), p95: median("hybrid", 0.95) },
    text: median("text", 0.95),
    dense: median("dense", 0.95),
    cpu,
    amid: await searchAmidWrites(store, questions, search),
    recall: found / (questionCount * 10),
    memory: { idle, peak: process.resourceUsage().maxRSS * 1024 },
  };
}

/** 20 documents of 500 chunks, in commits of 250, a second in all. */
async function searchAmidWrites(
  store: VectorStore,
  questions: Question[],
  search: (question: Question) => Promise<number>,
): Promise<Figures["amid"]> {
  const documents = 20,
    perCommit = 250;
  const vectors = store.vectors(model);
  // Made in advance, because making them blocks.
  const commits = Array.from({ length: documents * 2 }, (_, n) => {
    const topic = n % topicCount;
    return Array.from({ length: perCommit }, () => ({
      id: randomUUID(),
      workspaceId,
      documentId: `added${n >> 1}`,
      version: 1,
      terms: makeTerms(topic),
      vector: makeVector(topic, 1),
    }));
  });
  let isWriting = true;
  const times: number[] = [];
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const searching = (async () => {
    for (let n = 0; isWriting; n++) {
      times.push(await search(questions[n % questions.length]!));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  for (const rows of commits) {
    await Promise.all([
      store.text.upsert(rows, { first: true }),
      vectors.upsert(rows, { first: true }),
    ]);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  delay.disable();
  isWriting = false;
  await searching;
  return { p95: quantile(times, 0.95), delay: delay.max / 1e6, chunks: documents * 2 * perCommit };
}

function report(size: number, f: Figures): void {
  const megabytes = (bytes: number): number => Math.round(bytes / 2 ** 20);
  const how = `one workspace of ${size} chunks × ${dimensions}, LanceDB, ${questionCount} questions × ${rounds} rounds`;
  print({
    what: `hybrid search at ${size.toLocaleString("en")} chunks, p95`,
    how: `${how}; p50 ${f.hybrid.p50.toFixed(1)} ms; text alone p95 ${f.text.toFixed(1)}, vectors alone ${f.dense.toFixed(1)}; ${f.cpu.toFixed(0)} ms of CPU a search, whatever else the machine does`,
    figure: `${f.hybrid.p95.toFixed(1)} ms`,
    reach: "60 ms",
    goal: size > 100_000 ? "60 ms" : "25 ms",
  });
  print({
    what: "… while chunks are written, p95",
    how: `${f.amid.chunks} chunks in commits of 250; the event loop was blocked for at most ${f.amid.delay.toFixed(0)} ms`,
    figure: `${f.amid.p95.toFixed(1)} ms`,
    reach: "60 ms",
    goal: "60 ms",
  });
  print({
    what: "… the first after a start",
    how: `with opening the index; in memory after ${(f.loaded / 1000).toFixed(1)} s`,
    figure: `${(f.first / 1000).toFixed(2)} s`,
    reach: "1 s",
    goal: "1 s",
  });
  print({
    what: "… memory of the process",
    how: `resident after the searches; most, with writes: ${megabytes(f.memory.peak)} MB`,
    figure: `${megabytes(f.memory.idle)} MB`,
    reach: "1024 MB",
    goal: "1024 MB",
  });
  print({
    what: "… its vectors, recall@10 against exhaustive search",
    how,
    figure: f.recall.toFixed(3),
    reach: "0.95",
    goal: "0.99",
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

await main();
