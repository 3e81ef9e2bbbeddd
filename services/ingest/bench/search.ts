/**
 * Benchmarks searches among 20 texts of 1 MB in a separate ingest process with real PostgreSQL,
 * Redis and LanceDB and a fake embedder: text, vectors and both, with trace, one after the other and
 * eight in flight, with the CPU time of ingest and PostgreSQL. Then searches while another 20 texts
 * come in: in one process with everything else, in a separate one, and in two. `./carrel bench search
 * --only=text,dense,hybrid,amid` measures only what is named.
 */
import { readFileSync } from "node:fs";
import { waitFor } from "@carrel/testing";
import { startTestIngest, type TestIngest } from "../test/test-ingest.ts";
import { prose, vocabulary } from "./load-prose.ts";

const wanted = process.argv.slice(2).flatMap((option) => option.replace(/^--only=/, "").split(","));
const isWanted = (what: string): boolean => wanted.length === 0 || wanted.includes(what);
const modes = (["dense", "text", "hybrid"] as const).filter(isWanted);
const files = 20,
  questionCount = 60,
  rounds = 5,
  flight = 8,
  pauseMs = 50,
  idleSeconds = 15;
const goals = { text: "10 ms", dense: "8 ms", hybrid: "14 ms" };
const clockTicks = 100;

const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));
const median = (numbers: number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
const quantile = (numbers: number[], part: number): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)]!;
const spread = (numbers: number[], digits: number): string =>
  `${median(numbers).toFixed(digits)} (${Math.min(...numbers).toFixed(digits)}–${Math.max(...numbers).toFixed(digits)})`;

/** CPU time of the running processes so far, in ms. */
const cpuOf = (pids: number[]): number =>
  pids.reduce((sum, pid) => {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
      return sum + ((Number(fields[11]) + Number(fields[12])) * 1000) / clockTicks;
    } catch {
      return sum;
    }
  }, 0);

/** Each is asked only once, because the vectors of repeated questions are cached. */
let asked = 0;
function nextQuestion(): string {
  asked++;
  const words = [3, 7, 11].map((step) => vocabulary[(asked * step) % vocabulary.length]!);
  return `Where is the ${words[0]} of the ${words[1]} with ${words[2]} ${asked}?`;
}

const start = (elsewhere: boolean): Promise<TestIngest> =>
  startTestIngest({
    elsewhere,
    environment: { CARREL_PARSE_THREADS: "" },
    reconcileMs: 60_000,
  });

/** Uploads texts, the first with this number, and resolves to the number of all chunks. */
async function upload(ingest: TestIngest, first: number): Promise<number> {
  await Promise.all(
    Array.from({ length: files }, (_, n) =>
      ingest.upload(1, `large-${first + n}.txt`, prose(first + n, 1e6)),
    ),
  );
  const { chunks } = await waitFor(
    async () => {
      const [row] = await ingest.sql<{ done: number; chunks: number }>(
        `SELECT count(*)::int AS done, sum(chunk_count)::int AS chunks
        FROM ingest.workspace_document
        WHERE state = 'embedded'`,
      );
      return row!.done === first + files ? row! : null;
    },
    { timeoutMs: 600_000, intervalMs: 200, what: "all files to be embedded" },
  );
  return chunks;
}

/** Searches one after the other, with a pause as between people's questions, while `work` runs. */
async function searchDuring(ingest: TestIngest, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  const times: number[] = [];
  while (!isOver) {
    const started = performance.now();
    const found = await ingest.search(1, nextQuestion(), {
      mode: "hybrid",
      topN: 4,
      similarityThreshold: 0,
    });
    if (found.passages.length === 0) throw new Error("nothing was found");
    times.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
  await over;
  return times;
}

async function measureAmidIngestion(replicas: number): Promise<void> {
  const ingest = await start(replicas > 0);
  try {
    await Promise.all(Array.from({ length: replicas }, () => ingest.startReplica(true)));
    await upload(ingest, 0);
    await searchDuring(ingest, new Promise((resolve) => setTimeout(resolve, 10_000)));
    const idle = await searchDuring(
      ingest,
      new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000)),
    );
    const started = performance.now();
    const adding = upload(ingest, files);
    const amid = await searchDuring(ingest, adding);
    const seconds = (performance.now() - started) / 1_000;
    const p95 = { idle: quantile(idle, 0.95), amid: quantile(amid, 0.95) };
    const where =
      replicas === 0 ? "in one process with everything else" : `${replicas} ingest processes`;
    print({
      what: `search while 20 × 1 MB come in, p95, ${where}`,
      how: `${amid.length} searches in ${seconds.toFixed(0)} s until ${await adding} chunks were embedded; idle p95 ${p95.idle.toFixed(1)} ms (p50 ${median(idle).toFixed(1)}), amid p50 ${median(amid).toFixed(1)}, most ${Math.max(...amid).toFixed(0)}; ${(p95.amid / p95.idle).toFixed(1)} times idle`,
      figure: `${p95.amid.toFixed(1)} ms`,
      reach: "60 ms",
      goal: "60 ms",
    });
  } finally {
    await ingest.stop();
  }
}

async function measureModes(): Promise<void> {
  const ingest = await start(true);
  try {
    const replica = await ingest.startReplica(true);
    const chunks = await upload(ingest, 0);
    // Wait until the tables are compacted and the partitions built.
    await new Promise((resolve) => setTimeout(resolve, 8_000));

    for (const mode of modes) {
      const search = async (trace: number): Promise<number> => {
        const started = performance.now();
        const found = await ingest.search(1, nextQuestion(), {
          mode,
          trace,
          topN: 4,
          similarityThreshold: 0,
        });
        if (found.passages.length === 0) throw new Error("nothing was found");
        return performance.now() - started;
      };
      for (let n = 0; n < 40; n++) await search(20);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      for (const trace of mode === "hybrid" ? [0, 50] : [50]) {
        const alone: number[] = [],
          rates: number[] = [],
          cpu: number[] = [],
          databaseCpu: number[] = [];
        for (let round = 0; round < rounds; round++) {
          const databasePids = (
            await ingest.sql<{ pid: number }>(
              `SELECT pid FROM pg_stat_activity WHERE datname = current_database()`,
            )
          ).map((row) => row.pid);
          const before = { ingest: cpuOf([replica.pid]), database: cpuOf(databasePids) };
          const times: number[] = [];
          for (let n = 0; n < questionCount; n++) times.push(await search(trace));
          alone.push(median(times));
          const started = performance.now();
          let left = questionCount * 4;
          const total = left;
          await Promise.all(
            Array.from({ length: flight }, async () => {
              while (left-- > 0) await search(trace);
            }),
          );
          rates.push(total / ((performance.now() - started) / 1000));
          const searches = questionCount + total;
          cpu.push((cpuOf([replica.pid]) - before.ingest) / searches);
          databaseCpu.push((cpuOf(databasePids) - before.database) / searches);
        }
        const isPlain = trace === 0;
        const how = `${chunks} chunks of ${files} texts of 1 MB, ${isPlain ? "without" : "with"} trace, fake embedder; CPU of a search: ingest ${spread(cpu, 1)} ms, PostgreSQL ${spread(databaseCpu, 1)} ms; median (min–max) of ${rounds}`;
        print({
          what: `${isPlain ? "vector search" : `${mode} search with trace`}, p50`,
          how,
          figure: `${spread(alone, 1)} ms`,
          reach: isPlain ? "32 ms" : "84 ms",
          goal: isPlain ? "6 ms" : goals[mode],
        });
        print({
          what: `… ${flight} in flight`,
          how,
          figure: `${spread(rates, 0)}/s`,
          reach: isPlain ? "61/s" : "24/s",
          goal: isPlain ? "400/s" : "250/s",
        });
      }
    }
  } finally {
    await ingest.stop();
  }
}

if (modes.length > 0) await measureModes();
if (isWanted("amid")) for (const replicas of [0, 1, 2]) await measureAmidIngestion(replicas);
