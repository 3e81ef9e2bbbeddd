/**
 * Benchmarks the whole product over HTTP: reads, ingestion, chat overhead and concurrent streams.
 * Starts one instance with its own data folder and a fake vendor in a separate process; prints one
 * JSON line per row. `./carrel bench http --only=reads,streams` runs only the named rows: reads,
 * ingestion, overhead, streams.
 */
import {
  call,
  inFlight,
  json,
  prose,
  quantile,
  timeStream,
  uploadText,
  type StreamTimes,
} from "./client.ts";
import { measureReads } from "./http-reads.ts";
import { startFakeProcess, startInstance } from "../libs/testing/src/instance.ts";

const wanted = process.argv.slice(2).flatMap((option) => option.replace(/^--only=/, "").split(","));
const runs = (row: string) => wanted.length === 0 || wanted.includes(row);
const print = (row: { what: string; how: string; figure: string; reach: string; goal: string }) =>
  console.log(JSON.stringify(row));
const ms = (n: number) => `${n.toFixed(1)} ms`;

const fake = await startFakeProcess();
const instance = await startInstance();
const { url } = instance;
const stops = [() => fake.stop()];

interface Workspace {
  id: number;
  slug: string;
}
const makeWorkspace = async (name: string): Promise<Workspace> =>
  (await json<{ workspace: Workspace }>(url, "POST", "/api/workspace/new", { name })).workspace;
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
async function waitForEmbedded(slug: string, total: number, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  while (Date.now() < end) {
    const count = await embeddedCount(slug);
    if (count.embedded === total) return;
    if (count.failed > 0) throw new Error(`${count.failed} documents failed`);
    await new Promise((done) => setTimeout(done, 100));
  }
  throw new Error(
    `vectors were not there after ${limitMs} ms: ${JSON.stringify(await embeddedCount(slug))}`,
  );
}
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

  if (runs("reads")) await measureReads(url, instance.process.pid!, print);

  if (runs("ingestion")) {
    const rates: number[] = [];
    const lags: number[] = [];
    for (let run = 0; run < 3; run++) {
      const { slug } = await makeWorkspace(`Ingestion ${run}`);
      await lagP99();
      const start = performance.now();
      const replies = await inFlight(100, 8, (n) =>
        uploadText(url, slug, `file-${run}-${n}.txt`, prose(run * 1000 + n, 10_000)),
      );
      const answered = (performance.now() - start) / 1000;
      await waitForEmbedded(slug, 100, 120_000);
      const seconds = (performance.now() - start) / 1000;
      const lag = await lagP99();
      if (lag !== null) lags.push(lag);
      const lost = replies.filter((r) => !r.success).length;
      const { passages } = await embeddedCount(slug);
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

  const first = (frame: string) =>
    frame.includes("textResponseChunk") && !frame.includes('"textResponse":""');
  const last = (frame: string) => frame.includes("finalizeResponseStream");
  const failed = (times: StreamTimes[]) => times.filter((t) => t.error !== null || !t.complete);

  if (runs("overhead")) {
    const direct = async () =>
      (
        await timeStream(
          fake.url,
          "/v1/chat/completions",
          { model: "fake-model", stream: true, messages: [{ role: "user", content: "hello" }] },
          (f) => /"content":"[^"]/.test(f),
          (f) => f.includes("[DONE]"),
        )
      ).first;
    const measure = async (slug: string, question: (n: number) => string) => {
      const product: number[] = [];
      const vendor: number[] = [];
      for (let n = 0; n < 120; n++) {
        const times = await timeStream(
          url,
          `/api/workspace/${slug}/stream-chat`,
          { message: question(n) },
          first,
          last,
        );
        if (times.error) throw new Error(times.error);
        const alone = await direct();
        if (n >= 20) {
          product.push(times.first);
          vendor.push(alone);
        }
      }
      return quantile(product, 0.5) - quantile(vendor, 0.5);
    };
    const empty = await makeWorkspace("No documents");
    const bare = await measure(empty.slug, (n) => `Question number ${n}?`);
    const full = await makeWorkspace("Ten thousand chunks");
    const replies = await inFlight(100, 4, (n) =>
      uploadText(url, full.slug, `book-${n}.txt`, prose(50_000 + n, 98_000)),
    );
    const lost = replies.find((r) => !r.success);
    if (lost) throw new Error(`upload failed: ${lost.error}`);
    await waitForEmbedded(full.slug, 100, 300_000);
    const { passages } = await embeddedCount(full.slug);
    const retrieved = await measure(full.slug, (n) =>
      prose(50_000 + (n % 100), 400).slice(100, 200),
    );
    print({
      what: "chat overhead",
      how: `first answer token through the product minus the same from the fake directly, p50 of 100; none and ${passages} chunks (hybrid)`,
      figure: `${ms(bare)}; ${ms(retrieved)}`,
      reach: "12; 20 ms",
      goal: "6; 12 ms",
    });
  }

  if (runs("streams")) {
    const slow = await startFakeProcess("--tokens", "200", "--delay", "10");
    stops.push(() => slow.stop());
    await json(url, "POST", "/api/system/update-env", { GenericOpenAiBasePath: `${slow.url}/v1` });
    for (const [count, reach, goal] of [
      [200, "all complete, p95 ≤ 1.6 x", "1.2 x"],
      [1000, "none", "no error"],
    ] as const) {
      const { slug } = await makeWorkspace(`Streams ${count}`);
      const threads = await inFlight(
        count,
        16,
        async () =>
          (
            await json<{ thread: { slug: string } }>(
              url,
              "POST",
              `/api/workspace/${slug}/thread/new`,
            )
          ).thread.slug,
      );
      const times = await Promise.all(
        threads.map((thread) =>
          timeStream(
            url,
            `/api/workspace/${slug}/thread/${thread}/stream-chat`,
            { message: "Write two hundred words, please." },
            first,
            last,
          ),
        ),
      );
      const bad = failed(times);
      // At 10 ms per token no answer can be faster: this would measure a fake that answers at once.
      if (times.some((t) => t.complete && t.total < 1900))
        throw new Error("the fake vendor did not keep its pace");
      const p95 = quantile(
        times.map((t) => t.total),
        0.95,
      );
      print({
        what: `${count} streams`,
        how: "200 tokens at 10 ms each, started at once, fake in its own process; ideal 2.0 s",
        figure: `${count - bad.length} complete, ${bad.length} failed; p95 ${(p95 / 1000).toFixed(2)} s = ${(p95 / 2000).toFixed(2)} x`,
        reach,
        goal,
      });
      if (bad.length > 0)
        console.error(`first failure: ${bad[0]?.error ?? "stream ended before its end"}`);
    }
  }
} finally {
  await instance.stop();
  for (const stop of stops) stop();
}
