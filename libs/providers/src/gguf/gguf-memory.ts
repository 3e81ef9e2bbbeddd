import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import type { GgufModel } from "./gguf-models.ts";

const megabyte = 1024 * 1024;
/** The process without a model. */
const processBytes = 120 * megabyte;
/** Left for everything else on the machine. */
const spareBytes = 512 * megabyte;
/** Less isn't enough for a question with a few passages. */
export const smallestContext = 2_048;
/** More makes answers slow on a processor long before memory runs out. */
export const largestContext = 16_384;
/** How many conversations stay evaluated, so that their next question is answered at once. */
const mostConversations = 3;

/** Bytes that a model takes when it has room for this many tokens of each conversation. */
export function memoryNeeded(
  { size, layers, parameters }: Pick<GgufModel, "size" | "layers" | "parameters">,
  context: number,
  conversations = 1,
): number {
  // Intermediate results of a batch: scores of the vocabulary, and values that grow with the
  // model's width, about the root of its size.
  const computing = Math.min(800, 150 + Math.sqrt(parameters / 1e6) * 4) * megabyte;
  return Math.ceil(
    size + layers.bytesPerToken * context * conversations + computing + processBytes,
  );
}

type ReadFile = (path: string) => string;

const readSystemFile: ReadFile = (path) => readFileSync(path, "utf8");

/** The number after a name, or alone; null without the file, or if it says "max". */
function readNumber(read: ReadFile, path: string, pattern = /^(\d+)$/m): number | null {
  try {
    const [, value] = pattern.exec(read(path)) ?? [];
    return value === undefined ? null : Number(value);
  } catch {
    return null; // no Linux, or no control groups
  }
}

/** Memory that the container may still take; null without a limit. */
function freeInContainer(read: ReadFile): number | null {
  const folder = "/sys/fs/cgroup";
  const limit = readNumber(read, `${folder}/memory.max`);
  const used = readNumber(read, `${folder}/memory.current`);
  if (limit === null || used === null) return null;
  // Files that were read or written count as used until something needs their memory: a model's
  // file right after its download.
  const cached = ["active_file", "inactive_file"]
    .map((name) => readNumber(read, `${folder}/memory.stat`, new RegExp(`^${name} (\\d+)$`, "m")))
    .reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  return Math.max(0, limit - Math.max(0, used - cached));
}

/**
 * Memory that a new process can take: what is available, within the container's limit.
 *
 * @param read reads a file of the system
 */
export function freeMemory(read = readSystemFile): number {
  const kilobytes = readNumber(read, "/proc/meminfo", /^MemAvailable:\s+(\d+) kB/m);
  const available =
    kilobytes === null
      ? // Not Linux: freemem leaves out what caches could give back.
        Math.max(freemem(), totalmem() / 2)
      : kilobytes * 1024;
  return Math.min(available, freeInContainer(read) ?? Infinity);
}

export interface ContextPlan {
  /** Tokens of each conversation. */
  context: number;
  conversations: number;
}

/**
 * The largest context and the most conversations that fit into memory, or null if not even the
 * smallest context does.
 *
 * @param limit the admin's limit on the context, in tokens
 */
export function fitContext(
  model: Pick<GgufModel, "size" | "layers" | "parameters" | "contextLength">,
  limit: number | null,
  free = freeMemory(),
): ContextPlan | null {
  const most = Math.min(model.contextLength, limit ?? largestContext);
  const room = free - spareBytes;
  const fits = (context: number, conversations: number): boolean =>
    memoryNeeded(model, context, conversations) <= room;
  let context = most;
  while (context > smallestContext && !fits(context, 1)) context = Math.floor(context * 0.8);
  context = Math.max(context, Math.min(smallestContext, most));
  if (!fits(context, 1)) return null;
  let conversations = 1;
  while (conversations < mostConversations && fits(context, conversations + 1)) conversations++;
  return { context, conversations };
}
