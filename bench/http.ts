/**
 * Benchmarks the whole product over HTTP: reads, ingestion, chat overhead and concurrent streams.
 * Starts one instance with its own data folder and a fake vendor in a separate process; prints one
 * JSON line per row. `./carrel bench http --only=reads,streams` runs only the named rows: reads,
 * ingestion, overhead, openai, burst, streams, users. `--separate` measures reads, burst, streams and
 * replicas with each service in its own process instead.
 */
import { startFakeProcess, startInstance } from "../libs/testing/src/instance.ts";
import { call, inFlight, json, prose, quantile, uploadText, waitForEmbedded } from "./client.ts";
import {
  makeWorkspace,
  measureBurst,
  measureOpenAiRoute,
  measureOverhead,
  measureStreams,
  type Row,
  type Target,
} from "./http-answers.ts";
import { measureReads, measureUserReads } from "./http-reads.ts";
import { measureSeparate } from "./http-separate.ts";

const options = process.argv.slice(2);
const wanted = options
  .filter((option) => option.startsWith("--only="))
  .flatMap((option) => option.replace("--only=", "").split(","));
const runs = (row: string) => wanted.length === 0 || wanted.includes(row);
const print = (row: Row) => console.log(JSON.stringify(row));
const ms = (n: number) => `${n.toFixed(1)} ms`;

if (options.includes("--separate")) {
  await measureSeparate(print, runs);
  process.exit(0);
}
const fake = await startFakeProcess();
const instance = await startInstance();
const { url } = instance;
const target: Target = { url, processes: new Map([["node", instance.process.pid!]]), print };
const stops = [() => fake.stop()];

/** Number of embedded documents in the document panel, across all pages. */
async function embeddedCount(
  slug: string,
): Promise<{ embedded: number; failed: number; total: number; passages: number }> {
  const count = { embedded: 0, failed: 0, total: 0, passages: 0 };
  for (let offset = 0; ; offset += 200) {
    const page = await json<{ documents: { state: string }[]; total: number; passages: number }>(
      url,
      "GET",
      `/api/workspace/${slug}/documents?limit=200&offset=${offset}`,
    );
    count.embedded += page.documents.filter((d) => d.state === "embedded").length;
    count.failed += page.documents.filter((d) => d.state === "failed").length;
    count.total = page.total;
    count.passages = page.passages;
    if (offset + 200 >= page.total) return count;
  }
}
const untilEmbedded = (slug: string, total: number, limitMs: number) =>
  waitForEmbedded(() => embeddedCount(slug), total, { limitMs, intervalMs: 100 });
const lagP99 = async (): Promise<number | null> => {
  const text = (await call(url, "GET", "/api/metrics")).body;
  const value = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
  return value === undefined ? null : Number(value) * 1000;
};

try {
  const saved = await json<{ error: string | false }>(url, "POST", "/api/system/update-env", {
    LLMProvider: "generic-openai",
    GenericOpenAiBasePath: `${fake.url}/v1`,
    GenericOpenAiModelPref: "fake-model",
    GenericOpenAiTokenLimit: "32000",
    GenericOpenAiMaxTokens: "1024",
    EmbeddingEngine: "generic-openai",
    EmbeddingBasePath: `${fake.url}/v1`,
    EmbeddingModelPref: "fake-embedding",
    EmbeddingModelMaxChunkLength: "1000",
    VectorDB: "lancedb",
  });
  if (saved.error !== false) throw new Error(saved.error);

  if (runs("reads")) await measureReads(target);

  if (runs("ingestion")) {
    const rates: number[] = [];
    const lags: number[] = [];
    for (let run = 0; run < 3; run++) {
      const slug = await makeWorkspace(url, `Ingestion ${run}`);
      await lagP99();
      const start = performance.now();
      const replies = await inFlight(100, 8, (n) =>
        uploadText(url, slug, `file-${run}-${n}.txt`, prose(run * 1000 + n, 10_000)),
      );
      const answered = (performance.now() - start) / 1000;
      const { passages } = await untilEmbedded(slug, 100, 120_000);
      const seconds = (performance.now() - start) / 1000;
      const lag = await lagP99();
      if (lag !== null) lags.push(lag);
      const lost = replies.filter((r) => !r.success).length;
      if (lost > 0)
        throw new Error(`${lost} files lost: ${replies.find((r) => !r.success)?.error}`);
      rates.push(passages / seconds);
      console.error(
        `ingestion run ${run}: ${passages} chunks, all answered after ${answered.toFixed(2)} s, all embedded after ${seconds.toFixed(2)} s, lag p99 ${lag}`,
      );
    }
    print({
      what: "ingestion",
      how: "100 text files of 10 KB, upload-and-embed at 8 in flight, fake embedder (0.8 ms a call), chunks of 1000; until every vector is there; median of 3",
      figure: `${Math.round(quantile(rates, 0.5))} chunks/s, 0 lost; lag p99 ${lags.length ? ms(quantile(lags, 0.5)) : "not measured"}`,
      reach: "400/s; 50 ms",
      goal: "1,000/s",
    });
  }

  if (runs("overhead")) {
    const empty = await makeWorkspace(url, "No documents");
    await measureOverhead(target, fake.url, {
      slug: empty,
      question: (n) => `Question number ${n}?`,
      documents: "no documents",
      goal: "5 / 9 ms",
    });
    for (const [count, goal] of [
      [1, "10 ms"],
      [100, "12 ms"],
    ] as const) {
      const slug = await makeWorkspace(url, `${count} of 100 kB`);
      const replies = await inFlight(count, 4, (n) =>
        uploadText(url, slug, `book-${n}.txt`, prose(50_000 + n, 98_000)),
      );
      const lost = replies.find((r) => !r.success);
      if (lost) throw new Error(`upload failed: ${lost.error}`);
      await untilEmbedded(slug, count, 300_000);
      await measureOverhead(target, fake.url, {
        slug,
        question: (n) => prose(50_000 + (n % count), 400).slice(100, 200),
        documents: `${count} documents of 100 kB`,
        goal,
      });
    }
  }

  if (runs("openai")) await measureOpenAiRoute(target);

  if (runs("burst") || runs("streams")) {
    const slow = await startFakeProcess("--tokens", "200", "--delay", "10");
    stops.push(() => slow.stop());
    await json(url, "POST", "/api/system/update-env", { GenericOpenAiBasePath: `${slow.url}/v1` });
    if (runs("burst")) await measureBurst(target);
    for (const count of runs("streams") ? [20, 200, 1000] : []) await measureStreams(target, count);
  }

  if (runs("users")) await measureUserReads(target);
} finally {
  await instance.stop();
  for (const stop of stops) stop();
}
