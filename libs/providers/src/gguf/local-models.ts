import { availableParallelism, cpus } from "node:os";
import { readFileSync } from "node:fs";

/** How this instance runs language models itself; without it, it doesn't. */
export interface LocalModels {
  /** Where their files lie. */
  folder: string;
  /** The model is unloaded after this long without a question. */
  idleMinutes: number;
  /** Default: the processor's cores. */
  threads?: number | undefined;
}

/** Cores without their second threads, which only get in each other's way. */
function physicalCores(): number {
  try {
    const cores = new Set<string>();
    let core = "";
    for (const line of readFileSync("/proc/cpuinfo", "utf8").split("\n")) {
      if (line.startsWith("physical id")) core = line;
      else if (line.startsWith("core id")) cores.add(core + line);
    }
    return cores.size || cpus().length;
  } catch {
    return cpus().length; // not Linux
  }
}

/** Threads that compute by default: all cores, but one on machines with more than two. */
export function defaultThreads(): number {
  const threads = availableParallelism();
  return Math.max(1, Math.min(physicalCores(), threads > 2 ? threads - 1 : threads));
}
