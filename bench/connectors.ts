/**
 * Benchmarks sources: a repository of 10,000 small files until they are found by their words, and
 * the memory of the connectors service; 1,000 watched links that haven't changed; one changed
 * paragraph of a long page; and searches while a repository comes in. `./carrel bench connectors
 * --only=files,links,paragraph,search --runs=1 --processes=one --files=2000` measures only the named
 * rows, with fewer runs and files, and in only one of the two setups; `--statements` lists what took
 * PostgreSQL longest during an import.
 */
import { readFileSync } from "node:fs";
import { startFakeProcess } from "../libs/testing/src/instance.ts";
import { sleep } from "../tools/process.ts";
import { inFlight, json, prose, quantile, uploadText, waitForEmbedded } from "./client.ts";
import { Pages, startRepository } from "./connectors-sources.ts";
import { cpuOfOne, describeCpu, readCpu, type Cpu } from "./http-cpu.ts";
import {
  countWork,
  describeStatements,
  describeWork,
  readProgress,
  withClient,
} from "./ingest-counters.ts";
import { startProduct, type Product } from "./ingest-product.ts";
import { describeTimes, SteadySearches } from "./steady-searches.ts";

const option = (name: string): string | undefined =>
  process.argv
    .slice(2)
    .find((given) => given.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const wanted = option("only")?.split(",");
const runs = Number(option("runs") ?? 3);
const ways = option("processes")?.split(",") ?? ["one", "separate"];
const files = Number(option("files") ?? 10_000);
const fileBytes = 1_000;
const links = 1_000;
const linkHosts = 50;
/** Size of a page that is split into a thousand chunks. */
const longPage = 800_000;
const searchedTexts = 20;
const idleSearches = 200;

interface Workspace {
  id: number;
  slug: string;
}

let seed = 1;
const takeSeeds = (count: number): number => {
  const first = seed;
  seed += count;
  return first;
};

const makeWorkspace = async ({ url }: Product, name: string): Promise<Workspace> =>
  (await json<{ workspace: Workspace }>(url, "POST", "/api/workspace/new", { name })).workspace;

const query = <Row extends object>(
  { databaseUrl }: Product,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> =>
  withClient(databaseUrl, async (client) => (await client.query<Row>(sql, values)).rows);

const untilEmbedded = (product: Product, { id }: Workspace, total: number) =>
  withClient(product.databaseUrl, (client) =>
    waitForEmbedded(() => readProgress(client, id), total, {
      limitMs: 1_200_000,
      intervalMs: 250,
    }),
  );

/** Waits until this many documents can be found by their words; embedding continues. */
const untilSearchable = (product: Product, { id }: Workspace, total: number): Promise<void> =>
  withClient(product.databaseUrl, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ searchable: number; failed: number }>(
        `SELECT count(*) FILTER (
            WHERE bench_progress.state IN ('searchable', 'embedding', 'embedded')
          )::float8 AS searchable,
          count(*) FILTER (WHERE bench_progress.state = 'failed')::float8 AS failed
        FROM ingest.workspace_document bench_progress WHERE bench_progress.workspace_id = $1`,
        [id],
      );
      const { searchable, failed } = rows[0]!;
      if (searchable === total) return;
      if (failed > 0) throw new Error(`${failed} of ${total} files failed`);
      await sleep(250);
    }
  });

/** Megabytes of memory (resident set size) that a process had at most. */
const peakMemory = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;

const importRepository = (product: Product, { slug }: Workspace, repo: string) =>
  json(product.url, "POST", `/api/workspace/${slug}/connections`, {
    connector: "github",
    settings: { repo },
    credential: { token: "bench-token" },
  });

const spread = (figures: number[], digits: number): string => {
  const [median, least, most] = [
    quantile(figures, 0.5),
    Math.min(...figures),
    Math.max(...figures),
  ];
  return figures.length === 1
    ? median.toFixed(digits)
    : `${median.toFixed(digits)} (${least.toFixed(digits)}–${most.toFixed(digits)})`;
};

const setup = ({ way }: Product): string => (way === "one" ? "one process" : "separate processes");

const print = (row: { what: string; how: string; figure: string; goal: string }): void =>
  console.log(JSON.stringify({ ...row, reach: "" }));

async function measureFiles(start: () => Promise<Product>): Promise<void> {
  const found: number[] = [];
  const embedded: number[] = [];
  const memory: number[] = [];
  const cpu: Cpu[] = [];
  let work = "";
  let where = "";
  for (let run = 0; run < runs; run++) {
    const repository = await startRepository(takeSeeds(files), files, fileBytes);
    // A process that has imported before would hide how much memory an import takes.
    const product = await start();
    try {
      where = setup(product);
      const workspace = await makeWorkspace(product, `files ${run}`);
      await uploadText(product.url, workspace.slug, "first.txt", "The first text of an index.");
      await untilEmbedded(product, workspace, 1);
      const before = await countWork(product);
      const cpuBefore = readCpu(product.pids);
      const began = performance.now();
      await importRepository(product, workspace, repository.repo);
      await untilSearchable(product, workspace, files + 1);
      found.push((performance.now() - began) / 1_000);
      memory.push(peakMemory(product.pids.get(product.way === "one" ? "carrel" : "connectors")!));
      await untilEmbedded(product, workspace, files + 1);
      embedded.push((performance.now() - began) / 1_000);
      cpu.push(cpuOfOne(cpuBefore, readCpu(product.pids), files));
      work = describeWork(before, await countWork(product), files);
      if (process.argv.includes("--statements"))
        console.log(await describeStatements(product.databaseUrl));
    } finally {
      await Promise.all([product.stop(), repository.stop()]);
    }
  }
  print({
    what: `${files} files of a repository, ${where}`,
    how: `${fileBytes} bytes each, until found by their words, median (min–max) of ${runs}; embedded after ${spread(embedded, 1)} s; per file: ${work}; ${describeCpu(cpu)} ms CPU`,
    figure: `${spread(found, 1)} s`,
    goal: "120 s",
  });
  print({
    what: `… memory, ${where}`,
    how: `peak resident set size of ${where === "one process" ? "everything in one process" : "the connectors service"}`,
    figure: `${spread(memory, 0)} MB`,
    goal: where === "one process" ? "" : "400 MB",
  });
}

/** Imports pages as existing clients do, and watches them. */
async function watchPages(
  product: Product,
  { slug }: Workspace,
  addresses: readonly string[],
): Promise<void> {
  await inFlight(addresses.length, 8, async (n) => {
    const { document } = await json<{ document: { location: string } | null }>(
      product.url,
      "POST",
      `/api/workspace/${slug}/upload-link`,
      { link: addresses[n], embed: true },
    );
    if (!document) throw new Error(`${addresses[n]} wasn't imported`);
    const { status } = await fetch(`${product.url}/api/workspace/${slug}/update-watch-status`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ docPath: document.location, watchStatus: true }),
    });
    if (status !== 200) throw new Error(`${addresses[n]} can't be watched: ${status}`);
  });
}

const syncs = async (product: Product): Promise<number> =>
  (
    await query<{ count: number }>(
      product,
      "SELECT count(*)::int AS count FROM sync_worker.sync_run bench_progress WHERE status = 'success'",
    )
  )[0]!.count;

/** Makes everything watched due and waits until it was synced; resolves to the seconds. */
async function syncAll(product: Product, watched: number): Promise<number> {
  for (;;) {
    const [row] = await query<{ count: number }>(
      product,
      "SELECT count(*)::int AS count FROM sync_worker.watch",
    );
    if (row!.count === watched) break;
    await sleep(250);
  }
  const before = await syncs(product);
  const began = performance.now();
  await query(product, "UPDATE sync_worker.watch SET next_sync_at = now()");
  while ((await syncs(product)) < before + watched) {
    if (performance.now() - began > 600_000) throw new Error("not all pages were synced");
    await sleep(100);
  }
  return (performance.now() - began) / 1_000;
}

const toggleLiveSync = ({ url }: Product) =>
  json(url, "POST", "/api/experimental/toggle-live-sync", { updatedStatus: true });

async function measureLinks(product: Product): Promise<void> {
  const pages = new Pages();
  await pages.start(linkHosts);
  try {
    await toggleLiveSync(product);
    const workspace = await makeWorkspace(product, "links");
    const first = takeSeeds(links);
    const addresses = Array.from({ length: links }, (_, n) =>
      pages.put(n % linkHosts, `page-${n}.html`, prose(first + n, 2_000).split("\n\n")),
    );
    await watchPages(product, workspace, addresses);
    await untilEmbedded(product, workspace, links);
    const seconds: number[] = [];
    const cpu: Cpu[] = [];
    let work = "";
    for (let run = 0; run < runs; run++) {
      const before = await countWork(product);
      const cpuBefore = readCpu(product.pids);
      const unchanged = pages.unchanged;
      seconds.push(await syncAll(product, links));
      if (pages.unchanged - unchanged !== links)
        throw new Error(`${pages.unchanged - unchanged} pages were asked for whether they changed`);
      cpu.push(cpuOfOne(cpuBefore, readCpu(product.pids), links));
      work = describeWork(before, await countWork(product), links);
    }
    print({
      what: `${links} watched links that haven't changed, ${setup(product)}`,
      how: `on ${linkHosts} hosts, all due at once, median (min–max) of ${runs}; per link: ${work}; ${describeCpu(cpu)} ms CPU`,
      figure: `${spread(seconds, 1)} s`,
      goal: "60 s",
    });
    await query(product, "UPDATE sync_worker.watch SET next_sync_at = 'infinity'");
  } finally {
    await pages.stop();
  }
}

async function measureParagraph(product: Product): Promise<void> {
  const pages = new Pages();
  await pages.start(1);
  try {
    await toggleLiveSync(product);
    const workspace = await makeWorkspace(product, "paragraph");
    const paragraphs = prose(takeSeeds(1), longPage).split("\n\n");
    const address = pages.put(0, "long.html", paragraphs);
    const others = await query<{ id: number }>(product, "SELECT id FROM sync_worker.watch");
    await watchPages(product, workspace, [address]);
    const { passages } = await untilEmbedded(product, workspace, 1);
    const figures: number[] = [];
    const seconds: number[] = [];
    for (let run = 0; run < runs; run++) {
      const place = Math.floor((paragraphs.length * (run + 1)) / (runs + 1));
      // Longer than before, which moves everything after it.
      paragraphs[place] = `Changed ${run}. ${paragraphs[place]} ${prose(takeSeeds(1), 150)}.`;
      pages.put(0, "long.html", paragraphs);
      const before = await json<{ embedded: number }>(product.embedderUrl, "GET", "/fake/state");
      const began = performance.now();
      await query(
        product,
        "UPDATE sync_worker.watch SET next_sync_at = now() WHERE id <> ALL($1)",
        [others.map(({ id }) => id)],
      );
      await untilRevision(product, workspace, run + 2);
      seconds.push((performance.now() - began) / 1_000);
      const after = await json<{ embedded: number }>(product.embedderUrl, "GET", "/fake/state");
      figures.push(after.embedded - before.embedded);
    }
    print({
      what: `one changed paragraph of ${passages} chunks, ${setup(product)}`,
      how: `chunks that are embedded, median (min–max) of ${runs}; new content is found ${spread(seconds, 2)} s after the page is due`,
      figure: `${spread(figures, 0)} chunks`,
      goal: "5 chunks",
    });
  } finally {
    await pages.stop();
  }
}

async function untilRevision(product: Product, { id }: Workspace, revision: number): Promise<void> {
  const began = performance.now();
  for (;;) {
    const [row] = await query<{ revision: number; state: string }>(
      product,
      `SELECT d.revision, w.state FROM ingest.workspace_document w
      JOIN ingest.document d ON d.id = w.document_id WHERE w.workspace_id = $1`,
      [id],
    );
    if (row!.revision === revision && row!.state === "embedded") return;
    if (performance.now() - began > 120_000)
      throw new Error(`the page wasn't revised: ${JSON.stringify(row)}`);
    await sleep(50);
  }
}

async function measureSearch(product: Product): Promise<void> {
  const { url } = product;
  const { apiKey } = await json<{ apiKey: { secret: string } }>(
    url,
    "POST",
    "/api/system/generate-api-key",
    { name: "Benchmark" },
  );
  const searched = await makeWorkspace(product, "searched");
  await inFlight(searchedTexts, 4, async (n) => {
    const reply = await uploadText(url, searched.slug, `text-${n}.txt`, prose(n + 1, 200_000));
    if (!reply.success) throw new Error(`a file was lost: ${reply.error}`);
  });
  await untilEmbedded(product, searched, searchedTexts);
  const searches = new SteadySearches(
    { url, slug: searched.slug, key: apiKey.secret, texts: searchedTexts },
    100,
  );
  // Until the tables are compacted and read into memory.
  await sleep(8_000);
  await searches.until((count) => count === 40);
  await sleep(3_000);
  const idle = await searches.until((count) => count === idleSearches);
  const repository = await startRepository(takeSeeds(files), files, fileBytes);
  try {
    const workspace = await makeWorkspace(product, "imported");
    let isOver = false;
    const began = performance.now();
    await importRepository(product, workspace, repository.repo);
    const importing = untilSearchable(product, workspace, files).finally(() => {
      isOver = true;
    });
    const busy = await searches.until(() => isOver);
    await importing;
    const ratio = quantile(busy, 0.95) / quantile(idle, 0.95);
    print({
      what: `search while a repository comes in, ${setup(product)}`,
      how: `ten a second, p50 / p95 / slowest of ${busy.length} during ${((performance.now() - began) / 1_000).toFixed(0)} s; idle ${describeTimes(idle)}; p95 ${ratio.toFixed(1)} times the idle one; ${searches.failed.length} failed${searches.failed.length > 0 ? `, such as ${searches.failed[0]}` : ""}`,
      figure: describeTimes(busy),
      goal: "p95 60 ms, 2 times",
    });
    await untilEmbedded(product, workspace, files);
  } finally {
    await repository.stop();
  }
}

const fake = await startFakeProcess();
try {
  for (const way of ways) {
    const start = () =>
      startProduct(way === "separate" ? "separate" : "one", fake.url, {
        CARREL_LINK_ALLOW: "127.0.0.1",
        CARREL_SYNC_POLL_SECONDS: "0.5",
      });
    const isWanted = (name: string): boolean => wanted?.includes(name) ?? true;
    if (isWanted("files")) await measureFiles(start);
    const others = [
      ["links", measureLinks],
      ["paragraph", measureParagraph],
      ["search", measureSearch],
    ] as const;
    for (const [name, measure] of others) {
      if (!isWanted(name)) continue;
      const product = await start();
      try {
        await measure(product);
      } finally {
        await product.stop();
      }
    }
  }
} finally {
  await fake.stop();
}
