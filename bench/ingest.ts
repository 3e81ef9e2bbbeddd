/**
 * Benchmarks uploads to the whole product over HTTP: many small files, one large text, PDF or Word
 * file, and many large texts; first with the product in one process, then with every service in its
 * own. PostgreSQL and Redis run beside it with the settings of `./carrel start`. Prints one JSON
 * line per row. `./carrel bench ingest --only=small,text,pdf,docx,large --runs=1 --processes=one`
 * measures only the named rows, with fewer runs and in only one of the two setups.
 */
import { startFakeProcess } from "../libs/testing/src/instance.ts";
import { makeDocx } from "../services/ingest/test/fixtures/make-docx.ts";
import { makeTextPdf } from "../services/ingest/test/fixtures/make-pdf.ts";
import { inFlight, json, prose, quantile, uploadFile, waitForEmbedded } from "./client.ts";
import { cpuOfOne, describeCpu, readCpu, type Cpu } from "./http-cpu.ts";
import { countWork, describeWork, readProgress, withClient } from "./ingest-counters.ts";
import { startProduct, type Product } from "./ingest-product.ts";

const option = (name: string): string | undefined =>
  process.argv
    .slice(2)
    .find((given) => given.startsWith(`--${name}=`))
    ?.slice(name.length + 3);
const wanted = option("only")?.split(",");
const runs = Number(option("runs") ?? 5);
const ways = option("processes")?.split(",") ?? ["one", "separate"];

interface File {
  name: string;
  type: string;
  content: string | Buffer;
}
interface Load {
  id: string;
  what: string;
  count: number;
  width: number;
  /** The result of a run. */
  until: "searchable" | "embedded";
  goal: string;
  file(seed: number): Promise<File> | File;
}

const text = (seed: number, characters: number): File => ({
  name: `file-${seed}.txt`,
  type: "text/plain",
  content: prose(seed, characters),
});
const lines = (seed: number, characters: number): string[] =>
  (prose(seed, characters).match(/.{1,90}(?:\s|$)/gs) ?? []).map((line) => line.trim());
const loads: Load[] = [
  {
    id: "small",
    what: "100 × 10 kB, 8 in flight",
    count: 100,
    width: 8,
    until: "embedded",
    goal: "1.2 s",
    file: (seed) => text(seed, 10_000),
  },
  {
    id: "text",
    what: "one 1 MB text",
    count: 1,
    width: 1,
    until: "searchable",
    goal: "0.35 s",
    file: (seed) => text(seed, 1_000_000),
  },
  {
    id: "pdf",
    what: "one PDF of 100 pages",
    count: 1,
    width: 1,
    until: "searchable",
    goal: "0.30 s",
    file: (seed) => ({
      name: `file-${seed}.pdf`,
      type: "application/pdf",
      content: makeTextPdf(
        Array.from({ length: 100 }, (_, page) => ({
          title: `Chapter ${page + 1}`,
          lines: lines(seed * 1_000 + page, 2_800),
        })),
      ),
    }),
  },
  {
    id: "docx",
    what: "one DOCX of 300 kB text",
    count: 1,
    width: 1,
    until: "searchable",
    goal: "0.20 s",
    file: async (seed) => ({
      name: `file-${seed}.docx`,
      type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      content: await makeDocx(
        prose(seed, 300_000)
          .split("\n\n")
          .map((paragraph) => ({ text: paragraph })),
      ),
    }),
  },
  {
    id: "large",
    what: "20 × 1 MB",
    count: 20,
    width: 20,
    until: "embedded",
    goal: "6 s",
    file: (seed) => text(seed, 1_000_000),
  },
];

/** Waits without sending requests to the product, whose cost would be counted with the files'. */
const untilEmbedded = (product: Product, workspaceId: number, total: number) =>
  withClient(product.databaseUrl, (client) =>
    waitForEmbedded(() => readProgress(client, workspaceId), total, {
      limitMs: 300_000,
      intervalMs: 20,
    }),
  );

let seed = 1;
async function measure(product: Product, load: Load): Promise<void> {
  const seconds: number[] = [];
  let passages = 0;
  let work = "";
  const cpu: Cpu[] = [];
  for (let run = 0; run < runs; run++) {
    const { workspace } = await json<{ workspace: { id: number; slug: string } }>(
      product.url,
      "POST",
      "/api/workspace/new",
      { name: `${load.id} ${run}` },
    );
    const files = await Promise.all(Array.from({ length: load.count }, () => load.file(seed++)));
    const before = await countWork(product);
    const cpuBefore = readCpu(product.pids);
    const start = performance.now();
    await inFlight(load.count, load.width, async (n) => {
      const { name, type, content } = files[n]!;
      const reply = await uploadFile(product.url, workspace.slug, name, type, content);
      if (!reply.success) throw new Error(`${name} was lost: ${reply.error}`);
    });
    if (load.until === "embedded") await untilEmbedded(product, workspace.id, load.count);
    seconds.push((performance.now() - start) / 1000);
    // A single file's remaining background work counts towards its cost.
    ({ passages } = await untilEmbedded(product, workspace.id, load.count));
    cpu.push(cpuOfOne(cpuBefore, readCpu(product.pids), load.count));
    work = describeWork(before, await countWork(product), load.count);
  }
  const ofRuns = `${quantile(seconds, 0.5).toFixed(2)} (${Math.min(...seconds).toFixed(2)}–${Math.max(...seconds).toFixed(2)}) s`;
  console.log(
    JSON.stringify({
      what: `${load.what}, ${product.way === "one" ? "one process" : "separate processes"}`,
      how: `until ${load.until} (${passages} chunks), median (min–max) of ${runs}; per file: ${work}`,
      figure: `${ofRuns}; ${describeCpu(cpu)} ms CPU per file`,
      reach: "",
      goal: load.goal,
    }),
  );
}

const fake = await startFakeProcess();
try {
  for (const way of ways) {
    const product = await startProduct(way === "separate" ? "separate" : "one", fake.url);
    try {
      for (const load of loads)
        if (wanted === undefined || wanted.includes(load.id)) await measure(product, load);
    } finally {
      await product.stop();
    }
  }
} finally {
  fake.stop();
}
