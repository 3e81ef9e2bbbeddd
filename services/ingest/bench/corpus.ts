/**
 * Reads a folder of any files as the product does: in the same threads, with the same limits, one
 * after the other. Prints what became of them, and how much of the words that another program finds
 * (pdftotext, pandoc, LibreOffice and others, where installed) is in the text. `npm run bench --
 * corpus <folder>`; `--recognise` also recognises text in pictures, `--json` prints the results as
 * JSON, `--json=<file>` writes them, `--list` prints each file as it is read.
 */
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createLogger } from "@carrel/observability";
import { z } from "zod";
import { ingestShape, type IngestConfig } from "../src/ingest.config.ts";
import { UnreadableError } from "../src/parsing/parsed-document.ts";
import type { NamedText } from "../src/work-pool/work.ts";
import { WorkerPool } from "../src/work-pool/worker-pool.ts";
import { compareWithReference, installedCommands } from "./corpus-references.ts";

/** Outcome for one file. */
interface CorpusResult {
  file: string;
  type: string;
  bytes: number;
  /** Why it was refused or what it needs; null if its text was read. */
  reason: string | null;
  characters: number;
  /** Share of the reference's words, if there is one. */
  found: number | null;
  reference: string | null;
  seconds: number;
  /** Growth of the process's memory while the file was read, in MB. */
  megabytes: number;
}

const median = (values: number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted.length === 0 ? null : sorted[Math.floor((sorted.length - 1) / 2)]!;
};
const share = (value: number | null): string => (value === null ? "" : value.toFixed(3));
const seconds = (value: number): string => value.toFixed(2);

function printTable(title: string, head: string[], rows: string[][]): void {
  if (rows.length === 0) return;
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...table.map((row) => row[column]!.length)));
  const line = (row: string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  console.log(`\n${title}\n\n${[line(head), rule, ...rows.map(line)].join("\n")}`);
}

const cell = (text: string): string => text.replace(/[\s|]+/g, " ").slice(0, 160);

/** Prints a line per type, then the slowest, the least complete and the refused files. */
function printReport(results: CorpusResult[], worst = 10): void {
  const byType = Object.entries(Object.groupBy(results, ({ type }) => type)).sort(
    ([, a = []], [, b = []]) => b.length - a.length,
  );
  printTable(
    "By type; words found is the median share of the reference's words, with the lowest",
    [
      "type",
      "files",
      "read",
      "words found",
      "lowest",
      "compared",
      "median s",
      "slowest s",
      "most MB",
    ],
    byType.map(([type, files = []]) => {
      const read = files.filter(({ reason }) => reason === null);
      const found = read.flatMap((file) => file.found ?? []);
      const times = files.map((file) => file.seconds);
      return [
        type,
        String(files.length),
        String(read.length),
        share(median(found)),
        share(found.length === 0 ? null : Math.min(...found)),
        String(found.length),
        seconds(median(times)!),
        seconds(Math.max(...times)),
        String(Math.max(...files.map(({ megabytes }) => megabytes))),
      ];
    }),
  );
  printTable(
    "Slowest",
    ["file", "s", "MB", "kB"],
    [...results]
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, worst)
      .map((file) => [
        cell(file.file),
        seconds(file.seconds),
        String(file.megabytes),
        String(Math.round(file.bytes / 1000)),
      ]),
  );
  printTable(
    "Fewest words found",
    ["file", "words found", "reference"],
    results
      .filter(({ found }) => found !== null && found < 1)
      .sort((a, b) => a.found! - b.found!)
      .slice(0, worst)
      .map((file) => [cell(file.file), share(file.found), file.reference!]),
  );
  printTable(
    "Refused",
    ["file", "reason"],
    results
      .filter(({ reason }) => reason !== null)
      .map(({ file, reason }) => [cell(file), cell(reason!)]),
  );
}

const options = process.argv.slice(2).filter((text) => text.startsWith("--"));
const given = process.argv.slice(2).find((text) => !text.startsWith("--"));
if (given === undefined) {
  console.error("Name a folder: npm run bench -- corpus <folder>");
  process.exit(2);
}
// npm starts scripts in the checkout, whatever folder it is called from.
const calledFrom = process.env.INIT_CWD ?? process.cwd();
const folder = path.resolve(calledFrom, given);
const recognises = options.includes("--recognise");
const memoryEveryMs = 10;
const megabyte = 1024 * 1024;

const config = z.object(ingestShape).parse({}) as unknown as IngestConfig;
const pool = new WorkerPool(config, createLogger("corpus", "silent"));

async function readWith(
  file: string,
  filename: string,
): Promise<{ texts: NamedText[] } | { reason: string }> {
  const maximum = config.CARREL_PARSE_MAX_MB;
  if (statSync(file).size > maximum * megabyte) return { reason: `Larger than ${maximum} MB.` };
  const recognition = {
    languages: config.CARREL_OCR_LANGUAGES,
    dataFolder: null,
    maxPages: config.CARREL_OCR_PAGES,
  };
  const parse = (how: { pages?: number; isSlow?: boolean; recognise?: boolean } = {}) =>
    pool.parse(
      {
        bytes: new Uint8Array(readFileSync(file)),
        filename,
        title: filename,
        mime: null,
        chunking: null,
        recognition: how.recognise ? recognition : null,
        split: true,
      },
      { pages: how.pages ?? 0, isSlow: how.isSlow ?? false },
    );
  let result = await parse();
  if ("work" in result && result.work === "slow-parsing") result = await parse({ isSlow: true });
  if ("work" in result && result.work === "recognition" && recognises)
    result = await parse({ pages: result.pages, recognise: true });
  return "work" in result ? { reason: `Needs ${result.work}.` } : result;
}

async function measure(file: string): Promise<CorpusResult> {
  const before = process.memoryUsage().rss;
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss);
  }, memoryEveryMs);
  const started = performance.now();
  const result = await readWith(file, path.basename(file)).catch((cause: unknown) => ({
    reason:
      cause instanceof UnreadableError ? cause.message : `Unexpected: ${(cause as Error).message}`,
  }));
  const seconds = (performance.now() - started) / 1000;
  clearInterval(timer);
  const texts = "texts" in result ? result.texts : [];
  const text = texts
    .flatMap(({ name, text: { parts } }) => [name ?? "", ...parts.map((part) => part.text)])
    .join("\n");
  const compared = texts.length === 0 ? null : await compareWithReference(file, text);
  return {
    file: path.relative(folder, file),
    type: path.extname(file).toLowerCase() || "none",
    bytes: statSync(file).size,
    reason: "reason" in result ? result.reason : null,
    characters: text.length,
    found: compared?.found ?? null,
    reference: compared?.reference ?? null,
    seconds,
    megabytes: Math.round((most - before) / megabyte),
  };
}

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => path.join(entry.parentPath, entry.name))
  .sort();
console.log(
  `${files.length} files; compared with ${installedCommands.join(", ") || "nothing, because no other program is installed"}`,
);
const results: CorpusResult[] = [];
try {
  for (const file of files) {
    const result = await measure(file);
    results.push(result);
    if (options.includes("--list"))
      console.log(`${result.file}  ${result.seconds.toFixed(2)} s  ${result.reason ?? "read"}`);
  }
} finally {
  await pool.onApplicationShutdown();
}
printReport(results);
const json = options.find((text) => text === "--json" || text.startsWith("--json="));
if (json === "--json") console.log(JSON.stringify(results, null, 1));
else if (json)
  writeFileSync(path.resolve(calledFrom, json.slice(7)), JSON.stringify(results, null, 1));
