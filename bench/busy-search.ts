/**
 * Benchmarks searches while documents are added: through the developer API, ten a second, in a
 * workspace with 20 texts of 1 MB, first idle, then during the upload of 20 more until they are
 * embedded; with the product in one process, then with every service in its own. `./carrel bench
 * busy-search --embedder=native --processes=one` uses the built-in embedder (its models from
 * CARREL_MODELS_DIR) instead of a fake one, in only one of the two setups.
 */
import { startFakeProcess } from "../libs/testing/src/instance.ts";
import { sleep } from "../tools/process.ts";
import { modelsDir } from "./cached-embedder.ts";
import { inFlight, json, prose, quantile, uploadText, waitForEmbedded } from "./client.ts";
import { readProgress, withClient } from "./ingest-counters.ts";
import { startProduct, type Product } from "./ingest-product.ts";
import { describeTimes, SteadySearches } from "./steady-searches.ts";

const option = (name: string): string | undefined =>
  process.argv
    .slice(2)
    .find((given) => given.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const ways = option("processes")?.split(",") ?? ["one", "separate"];
const embedder = option("embedder") ?? "fake";
const wheres = option("to")?.split(",") ?? ["another", "same"];
const files = Number(option("files") ?? 20);
/** Between the starts of two searches. */
const everyMs = Number(option("every") ?? 100);
const idleSearches = 200;

async function measure(product: Product): Promise<void> {
  const { url } = product;
  const makeWorkspace = async (name: string): Promise<{ id: number; slug: string }> =>
    (
      await json<{ workspace: { id: number; slug: string } }>(url, "POST", "/api/workspace/new", {
        name,
      })
    ).workspace;
  const { apiKey } = await json<{ apiKey: { secret: string } }>(
    url,
    "POST",
    "/api/system/generate-api-key",
    { name: "Benchmark" },
  );
  let seed = 1;
  /** Resolves to the seconds that it took and the chunks that the workspace has then. */
  const addFiles = async (workspace: { id: number; slug: string }, total: number) => {
    const first = seed;
    seed += files;
    const texts = Array.from({ length: files }, (_, n) => prose(first + n, 1_000_000));
    const began = performance.now();
    await inFlight(files, files, async (n) => {
      const reply = await uploadText(url, workspace.slug, `text-${first + n}.txt`, texts[n]!);
      if (!reply.success) throw new Error(`a file was lost: ${reply.error}`);
    });
    const { passages } = await withClient(product.databaseUrl, (client) =>
      waitForEmbedded(() => readProgress(client, workspace.id), total, {
        limitMs: 1_200_000,
        intervalMs: 100,
      }),
    );
    return { seconds: (performance.now() - began) / 1_000, chunks: passages };
  };
  const searched = await makeWorkspace("searched");
  const searches = new SteadySearches(
    { url, slug: searched.slug, key: apiKey.secret, texts: files },
    everyMs,
  );
  const { failed } = searches;
  await addFiles(searched, files);
  const rest = async (): Promise<void> => {
    // Until the tables are compacted and read into memory.
    await sleep(8_000);
    await searches.until((count) => count === 40);
    await sleep(3_000);
  };
  await rest();
  const idle = await searches.until((count) => count === idleSearches);
  const other = await makeWorkspace("other");
  for (const [where, workspace, total] of [
    ["another workspace", other, files],
    ["the same workspace", searched, 2 * files],
  ] as const) {
    if (!wheres.some((wanted) => where.includes(wanted))) continue;
    let isOver = false;
    const adding = addFiles(workspace, total).finally(() => {
      isOver = true;
    });
    const busy = await searches.until(() => isOver);
    const { seconds, chunks } = await adding;
    const ratio = quantile(busy, 0.95) / quantile(idle, 0.95);
    console.log(
      JSON.stringify({
        what: `search amid uploads to ${where}, ${product.way === "one" ? "one process" : "separate processes"}, ${embedder} embedder`,
        how: `p50 / p95 / slowest of ${busy.length} during ${seconds.toFixed(1)} s, until ${chunks} chunks; idle ${describeTimes(idle)}; p95 ${ratio.toFixed(1)} times the idle one; ${failed.length} failed${failed.length > 0 ? `, such as ${failed[0]}` : ""}`,
        figure: describeTimes(busy),
        reach: "",
        goal: "p95 60 ms, 2 times",
      }),
    );
    await rest();
    failed.length = 0;
  }
}

function requireModels(): string {
  if (modelsDir === null) throw new Error("CARREL_MODELS_DIR must name the models");
  return modelsDir;
}

const fake = await startFakeProcess();
try {
  for (const way of ways) {
    const product = await startProduct(
      way === "separate" ? "separate" : "one",
      fake.url,
      embedder === "native"
        ? { CARREL_SETTING_EmbeddingEngine: "native", CARREL_MODELS_DIR: requireModels() }
        : {},
    );
    try {
      await measure(product);
    } finally {
      await product.stop();
    }
  }
} finally {
  fake.stop();
}
