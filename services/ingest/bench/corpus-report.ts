/** What became of one file. */
export interface CorpusResult {
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
  /** By how much the process's memory grew while the file was read, in MB. */
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
export function printReport(results: CorpusResult[], worst = 10): void {
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
