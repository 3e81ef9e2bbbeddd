/**
 * Benchmarks the ingest service in a separate process with real PostgreSQL, Redis and LanceDB and a
 * fake embedder: a long PDF, chunks per second, memory during heavy embedding, and very many files
 * at once. `./carrel bench load --only=pdf,vectors,rate,memory,many` measures only the named
 * rows.
 */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitFor } from "@carrel/testing";
import { miniLmShape, writeRandomModel } from "../../../libs/providers/test/random-model.ts";
import { makeTextPdf } from "../test/fixtures/make-pdf.ts";
import { startTestIngest, type TestIngest } from "../test/test-ingest.ts";
import { inFlight, watchPss } from "./load-memory.ts";
import { prose } from "./load-prose.ts";

const wanted = process.argv.slice(2).flatMap((option) => option.replace(/^--only=/, "").split(","));
const runs = (row: string): boolean => wanted.length === 0 || wanted.includes(row);
const print = (row: {
  what: string;
  how: string;
  figure: string;
  reach: string;
  goal: string;
}): void => console.log(JSON.stringify(row));

async function countOf(
  ingest: TestIngest,
  workspaceId: number,
): Promise<{ embedded: number; failed: number; chunks: number }> {
  const [row] = await ingest.sql<{ embedded: number; failed: number; chunks: number }>(
    `SELECT count(*) FILTER (WHERE state = 'embedded')::int AS embedded,
      count(*) FILTER (WHERE state = 'failed')::int AS failed,
      coalesce(sum(chunk_count) FILTER (WHERE state = 'embedded'), 0)::int AS chunks
    FROM ingest.workspace_document
    WHERE workspace_id = $1`,
    [workspaceId],
  );
  return row!;
}
const untilEnded = (ingest: TestIngest, workspaceId: number, total: number, minutes: number) =>
  waitFor(
    async () => {
      const count = await countOf(ingest, workspaceId);
      return count.embedded + count.failed === total ? count : null;
    },
    {
      timeoutMs: minutes * 60_000,
      intervalMs: 100,
      what: `${total} documents to be embedded or failed`,
    },
  );

const longPdf = (run: number): Buffer =>
  makeTextPdf(
    Array.from({ length: 100 }, (_, page) => ({
      title: `Chapter ${page + 1} of run ${run}`,
      lines: (prose(run * 1_000 + page, 2_800).match(/.{1,90}(?:\s|$)/gs) ?? []).map((line) =>
        line.trim(),
      ),
    })),
  );

/**
 * Uses the built-in embedder with the models of CARREL_MODELS_DIR, or else a model of
 * all-MiniLM-L6-v2's shape with random weights, which does the same work unquantized.
 */
async function measureVectors(): Promise<void> {
  const made = process.env.CARREL_MODELS_DIR
    ? null
    : await mkdtemp(join(tmpdir(), "carrel-bench-models-"));
  if (made !== null) await writeRandomModel(join(made, "all-MiniLM-L6-v2"), miniLmShape);
  const ingest = await startTestIngest({
    elsewhere: true,
    embedder: false,
    environment: {
      CARREL_PARSE_THREADS: "",
      CARREL_MODELS_DIR: made ?? process.env.CARREL_MODELS_DIR!,
    },
    reconcileMs: 60_000,
  });
  try {
    ingest.state.settings = {};
    await ingest.startReplica(true);
    await ingest.until(1, await ingest.upload(1, "first.txt", prose(1, 2_000)), "embedded");
    const started = performance.now();
    await ingest.upload(1, "hundred.pdf", longPdf(9));
    const { chunks, failed } = await untilEnded(ingest, 1, 2, 10);
    if (failed > 0) throw new Error("The PDF failed.");
    print({
      what: "vectors of a long PDF",
      how: `the same with the built-in embedder (${made === null ? "the model of CARREL_MODELS_DIR" : "random weights"}), until all of its vectors are there (${chunks} chunks); one run`,
      figure: `${((performance.now() - started) / 1000).toFixed(1)} s`,
      reach: "≤ 60 s",
      goal: "30 s",
    });
  } finally {
    await ingest.stop();
    if (made !== null) await rm(made, { recursive: true, force: true });
  }
}

if (runs("vectors")) await measureVectors();

const ingest = await startTestIngest({
  elsewhere: true,
  environment: { CARREL_PARSE_THREADS: "" },
  reconcileMs: 60_000,
});
try {
  ingest.state.workspaces = [1, 2, 3, 4];
  const replica = await ingest.startReplica(true);
  // Warms up threads, drivers and tables.
  await ingest.until(1, await ingest.upload(1, "first.txt", prose(1, 20_000)), "embedded");

  if (runs("pdf")) {
    const times: number[] = [];
    for (let run = 0; run < 3; run++) {
      const pdf = longPdf(run);
      const started = performance.now();
      const id = await ingest.upload(1, `hundred-${run}.pdf`, pdf);
      await ingest.until(1, id, "searchable", "embedding", "embedded");
      times.push((performance.now() - started) / 1000);
    }
    print({
      what: "a long PDF",
      how: "a text PDF of 100 pages, from its upload until it can be searched; median of 3",
      figure: `${times.sort((a, b) => a - b)[1]!.toFixed(2)} s`,
      reach: "≤ 10 s",
      goal: "5 s",
    });
  }

  if (runs("rate")) {
    const rates: number[] = [];
    for (let run = 0; run < 3; run++) {
      const before = await countOf(ingest, 2);
      const started = performance.now();
      await inFlight(200, 16, async (n) => {
        await ingest.upload(2, `file-${run}-${n}.txt`, prose(run * 1_000 + n + 7, 10_000));
      });
      const { chunks, failed } = await untilEnded(ingest, 2, 200 * (run + 1), 5);
      if (failed > 0) throw new Error(`${failed} files failed`);
      rates.push((chunks - before.chunks) / ((performance.now() - started) / 1000));
      console.error(`rate, run ${run}: ${rates.at(-1)!.toFixed(0)} chunks/s`);
    }
    print({
      what: "chunks",
      how: "200 text files of 10 KB through splitting, fake embedder and LanceDB until every vector is there; median of 3",
      figure: `${Math.round(rates.sort((a, b) => a - b)[1]!)}/s`,
      reach: "500/s",
      goal: "1,000/s",
    });
  }

  if (runs("memory")) {
    const highest = watchPss(replica.pid);
    const started = performance.now();
    await inFlight(1_000, 16, async (n) => {
      await ingest.upload(3, `large-${n}.txt`, prose(n + 50_000, 100_000));
    });
    const { chunks, failed } = await untilEnded(ingest, 3, 1_000, 20);
    const memory = highest();
    const seconds = (performance.now() - started) / 1000;
    print({
      what: "memory of ingest",
      how: `PSS at most, of the process with its threads, while 1,000 files of 100 KB (${chunks} chunks, ${failed} failed) are embedded in ${seconds.toFixed(0)} s (${Math.round(chunks / seconds)} chunks/s)`,
      figure: `${memory.toFixed(0)} MB`,
      reach: "≤ 900 MB",
      goal: "600 MB",
    });
  }

  if (runs("many")) {
    const highest = watchPss(replica.pid);
    const started = performance.now();
    await inFlight(10_000, 32, async (n) => {
      await ingest.upload(
        4,
        `drop-${n}${n % 100 === 3 ? ".pdf" : ".txt"}`,
        n % 100 === 3 ? "%PDF-1.4 this is no pdf" : `Note ${randomUUID()}. ${prose(n, 800)}`,
      );
    });
    const taken = (performance.now() - started) / 1000;
    const waiting = performance.now();
    const single = await ingest.upload(
      1,
      "single.txt",
      `A single file of another workspace, ${randomUUID()}.`,
    );
    await ingest.until(1, single, "searchable", "embedding", "embedded");
    const other = (performance.now() - waiting) / 1000;
    const { embedded, failed } = await untilEnded(ingest, 4, 10_000, 30);
    const memory = highest();
    const seconds = (performance.now() - started) / 1000;
    print({
      what: "many files",
      how: `10,000 files dropped at once (100 of them broken): taken in ${taken.toFixed(0)} s, all embedded or failed with a reason in ${seconds.toFixed(0)} s; a single file of another workspace dropped behind them could be searched after ${other.toFixed(1)} s; PSS at most ${memory.toFixed(0)} MB`,
      figure: `${10_000 - embedded - failed} lost`,
      reach: "0 lost",
      goal: "0 lost",
    });
    if (failed !== 100) throw new Error(`${failed} failed instead of 100`);
  }
} finally {
  await ingest.stop();
}
