import { quantile } from "./client.ts";
import { cpuByProgram } from "./memory-processes.ts";

/** Process ids of the product's parts, by the name shown in the results. */
export type Processes = ReadonlyMap<string, number>;
/** CPU milliseconds so far, by part or program. */
export type Cpu = Map<string, number>;

/** CPU of these processes and their descendants so far; servers they started count separately. */
export function readCpu(processes: Processes): Cpu {
  const used: Cpu = new Map();
  for (const [shown, pid] of processes)
    for (const [program, ms] of cpuByProgram(pid)) {
      const name = program === "node" ? shown : program;
      used.set(name, (used.get(name) ?? 0) + ms);
    }
  return used;
}

/** CPU time of one of `count` operations, by part. */
export const cpuOfOne = (before: Cpu, after: Cpu, count: number): Cpu =>
  new Map([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / count]));

/** The medians of several rounds, with parts below 5 µs left out. */
export const describeCpu = (rounds: readonly Cpu[]): string =>
  [...rounds[0]!.keys()]
    .map(
      (name) =>
        [
          name,
          quantile(
            rounds.map((cpu) => cpu.get(name) ?? 0),
            0.5,
          ),
        ] as const,
    )
    .filter(([, ms]) => ms >= 0.005)
    .map(([name, ms]) => `${name} ${ms.toFixed(2)}`)
    .join(", ");
