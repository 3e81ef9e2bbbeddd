import { existsSync, readFileSync, readdirSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { basename, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { bundleFolder } from "./bundle.ts";
import { root } from "./checkout.ts";

/** Line and column count from zero. */
interface CallFrame {
  functionName: string;
  url: string;
  lineNumber: number;
  columnNumber: number;
}

/** The parts of a `.cpuprofile` that are read here. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[];
  samples: number[];
  /** Microseconds between each sample and the one before it. */
  timeDeltas: number[];
}

export interface ProfiledShare {
  name: string;
  milliseconds: number;
}

const shownFunctions = 25;
/** Without these, a profile's total is its thread's working time. */
const idle = new Set(["(idle)", "(root)"]);

/**
 * The owner of a function: an npm package, one of our packages, Node's own JavaScript, or native
 * code, which includes garbage collection and system calls.
 */
export function ownerOf(url: string): string {
  if (url === "") return "native";
  if (url.startsWith("node:")) return "node internals";
  const path = url.startsWith("file:") ? fileURLToPath(url) : url;
  const dependency = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
  if (dependency !== undefined) return dependency;
  return /^(?:apps|libs|services)\/[^/]+/.exec(relative(root, path))?.[0] ?? "tools";
}

/** Where a frame of the bundle is in the module it comes from; other frames as they are. */
function originOf(maps: Map<string, SourceMap>, frame: CallFrame): CallFrame {
  if (!frame.url.startsWith(pathToFileURL(bundleFolder).href)) return frame;
  const file = fileURLToPath(frame.url);
  if (!existsSync(`${file}.map`)) return frame; // Rolldown's own functions
  let map = maps.get(file);
  if (!map) {
    const text = readFileSync(`${file}.map`, "utf8");
    maps.set(file, (map = new SourceMap(JSON.parse(text) as SourceMapPayload)));
  }
  const entry = map.findEntry(frame.lineNumber, frame.columnNumber);
  if (!("originalSource" in entry)) return frame;
  const url = new URL(entry.originalSource, frame.url).href;
  return { ...frame, url, lineNumber: entry.originalLine };
}

/** Self time by owner and by function, highest first; idle time is left out. */
export function selfTimes({ nodes, samples, timeDeltas }: CpuProfile): {
  owners: ProfiledShare[];
  functions: ProfiledShare[];
} {
  const maps = new Map<string, SourceMap>();
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, originOf(maps, callFrame)]));
  const owners = new Map<string, number>();
  const functions = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, milliseconds: number): void => {
    sums.set(name, (sums.get(name) ?? 0) + milliseconds);
  };
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = frames.get(id)!;
    if (idle.has(functionName)) continue;
    // A sample's time lasts until the next one.
    const milliseconds = (timeDeltas[index + 1] ?? 0) / 1_000;
    const name = functionName || "(anonymous)";
    const owner = ownerOf(url);
    add(owners, owner, milliseconds);
    add(
      functions,
      url === "" ? name : `${name}  ${owner} ${basename(url)}:${lineNumber + 1}`,
      milliseconds,
    );
  }
  const sorted = (sums: Map<string, number>): ProfiledShare[] =>
    [...sums]
      .map(([name, milliseconds]) => ({ name, milliseconds }))
      .sort((a, b) => b.milliseconds - a.milliseconds);
  return { owners: sorted(owners), functions: sorted(functions) };
}

/** One table per profile in the folder, the busiest first. */
export function printProfiles(folder: string): void {
  const profiles = readdirSync(folder)
    .filter((name) => name.endsWith(".cpuprofile"))
    .map((name) => {
      const file = join(folder, name);
      const times = selfTimes(JSON.parse(readFileSync(file, "utf8")) as CpuProfile);
      return {
        file,
        ...times,
        total: times.owners.reduce((sum, one) => sum + one.milliseconds, 0),
      };
    })
    .sort((a, b) => b.total - a.total);
  for (const { file, owners, functions, total } of profiles) {
    process.stdout.write(`\n${file}\n${(total / 1_000).toFixed(2)} s of work in this thread\n\n`);
    for (const shares of [owners, functions.slice(0, shownFunctions)]) {
      for (const { name, milliseconds } of shares.filter((one) => one.milliseconds >= total / 500))
        process.stdout.write(
          `${((milliseconds / total) * 100).toFixed(1).padStart(6)} % ${milliseconds.toFixed(0).padStart(8)} ms  ${name}\n`,
        );
      process.stdout.write("\n");
    }
  }
}
