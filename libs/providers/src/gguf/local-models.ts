import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import type { InstanceConfig } from "@carrel/config";

/** How this instance runs language models itself; without it, it doesn't. */
export interface LocalModels {
  /** Where their files lie. */
  folder: string;
  /** The model is unloaded after this long without a question. */
  idleMinutes: number;
  /** Default: the processor's cores. */
  threads?: number | undefined;
}

type LocalConfig = Pick<
  InstanceConfig,
  | "CARREL_HOME"
  | "CARREL_LOCAL_MODELS"
  | "CARREL_LOCAL_MODEL_IDLE_MINUTES"
  | "CARREL_LOCAL_MODEL_THREADS"
  | "CARREL_MODELS_DIR"
>;

/** Where an instance has the files of language models. */
export const localModelFolder = (
  config: Pick<InstanceConfig, "CARREL_HOME" | "CARREL_MODELS_DIR">,
): string => join(config.CARREL_MODELS_DIR ?? join(config.CARREL_HOME, "models"), "gguf");

/** Undefined if the instance runs no language models itself. */
export const readLocalModels = (config: LocalConfig): LocalModels | undefined =>
  config.CARREL_LOCAL_MODELS
    ? {
        folder: localModelFolder(config),
        idleMinutes: config.CARREL_LOCAL_MODEL_IDLE_MINUTES,
        threads: config.CARREL_LOCAL_MODEL_THREADS,
      }
    : undefined;

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
