import { readdirSync, readFileSync } from "node:fs";
import { readCpu, type Cpu, type Processes } from "../../../bench/http-cpu.ts";
import { memoryByProgram, total } from "../../../bench/memory-processes.ts";

export interface Sample {
  at: number;
  cpu: Cpu;
  /** Megabytes (proportional set size), and open files and sockets. */
  memory: Map<string, number>;
  /** Resident megabytes, shared pages included, as if the process had its own container. */
  resident: Map<string, number>;
  files: Map<string, number>;
}

const openFiles = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0; // it has ended
  }
};

const resident = (pid: number): number => {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return 0;
  }
};

export const takeSample = (processes: Processes): Sample => ({
  at: performance.now(),
  cpu: readCpu(processes),
  memory: new Map([...processes].map(([name, pid]) => [name, total(memoryByProgram(pid))])),
  resident: new Map([...processes].map(([name, pid]) => [name, resident(pid)])),
  files: new Map([...processes].map(([name, pid]) => [name, openFiles(pid)])),
});

const table = (rows: string[][]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, n) => (n === 0 ? cell.padEnd(widths[n]!) : cell.padStart(widths[n]!)))
        .join("  "),
    )
    .join("\n");
};

/** CPU per operation in ms, by service; empty if nothing was measured. */
export type Usage = ReadonlyMap<string, number>;

/** Replicas of a service count together. */
export function usageOf(samples: readonly Sample[], operations: number): Usage {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const usage = new Map<string, number>();
  for (const [name, ms] of last.cpu) {
    const service = name.replace(/ \d+$/, "");
    const used = (ms - (first.cpu.get(name) ?? 0)) / operations;
    usage.set(service, (usage.get(service) ?? 0) + used);
  }
  return usage;
}

/** CPU per operation for each number of replicas, and its growth from the first to the last. */
export function describeGrowth(counts: readonly number[], usage: readonly Usage[]): string {
  const names = new Set(usage.flatMap((each) => [...each.keys()]));
  for (const tool of ["k6", "fake model"]) names.delete(tool);
  const all = usage.map((each) => [...names].reduce((sum, name) => sum + (each.get(name) ?? 0), 0));
  const rows: [string, number[]][] = [...names].map((name) => [
    name,
    usage.map((each) => each.get(name) ?? 0),
  ]);
  const growth = (each: readonly number[]): string =>
    each[0]! > 0 && each.at(-1)! > 0 ? `${(each.at(-1)! / each[0]!).toFixed(2)} ×` : "–";
  return table([
    ["service", ...counts.map((count) => `${count} each`), "growth"],
    ...[...rows, ["all", all] as const].map(([name, each]) => [
      name,
      ...each.map((ms, n) => (usage[n]!.size === 0 ? "–" : ms.toFixed(2))),
      growth(each),
    ]),
  ]);
}

/** CPU of each process between two samples, per second and per operation, and its memory. */
export function describeLoad(samples: readonly Sample[], operations: number): string {
  const [first, last] = [samples[0]!, samples.at(-1)!];
  const seconds = (last.at - first.at) / 1000;
  const rows = [...last.cpu.keys()].map((name) => {
    const ms = last.cpu.get(name)! - (first.cpu.get(name) ?? 0);
    const memory = samples.map((sample) => sample.memory.get(name) ?? 0);
    return [
      name,
      (ms / 10 / seconds).toFixed(1),
      operations > 0 ? (ms / operations).toFixed(2) : "",
      memory[0]!.toFixed(0),
      Math.max(...memory).toFixed(0),
      memory.at(-1)!.toFixed(0),
      Math.max(...samples.map((sample) => sample.resident.get(name) ?? 0)).toFixed(0),
      String(Math.max(...samples.map((sample) => sample.files.get(name) ?? 0))),
    ];
  });
  const sum = (column: number): number => rows.reduce((all, row) => all + Number(row[column]), 0);
  return table([
    [
      "process",
      "% of a core",
      "CPU ms/op",
      "MB before",
      "MB most",
      "MB after",
      "resident most",
      "files most",
    ],
    ...rows,
    ["all", sum(1).toFixed(1), operations > 0 ? sum(2).toFixed(2) : "", "", "", "", "", ""],
  ]);
}

/** Memory and open files of each process, for a log of a long test. */
export const describeSample = ({ memory, files }: Sample): string =>
  [...memory].map(([name, mb]) => `${name} ${mb.toFixed(0)} MB/${files.get(name)}`).join(", ");
