import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import {
  describeLoad,
  describeSample,
  takeSample,
  usageOf,
  type Sample,
  type Usage,
} from "./figures.ts";

const sampleMs = 2_000;
/** A long test prints a line this often. */
const logMs = 300_000;

/** Samples the processes until the signal; prints a line every five minutes. */
async function keepSampling(
  processes: ReadonlyMap<string, number>,
  say: (words: string) => void,
  signal: AbortSignal,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  let logged = -Infinity;
  while (!signal.aborted) {
    const sample = takeSample(processes);
    samples.push(sample);
    if (sample.at - logged >= logMs) {
      logged = sample.at;
      const minute = Math.round((sample.at - samples[0]!.at) / 60_000);
      say(`minute ${minute}: ${describeSample(sample)}`);
    }
    await pause(sampleMs, undefined, { signal }).catch(() => undefined);
  }
  samples.push(takeSample(processes));
  say(`end: ${describeSample(samples.at(-1)!)}`);
  return samples;
}

/**
 * Runs a script and prints what the processes used while it measured: between the lines "measuring"
 * and "measured" that it logs. Resolves to k6's exit code and the CPU per operation.
 *
 * @param meanwhile runs until its signal and resolves to what to print
 */
export async function runK6(o: {
  k6: string;
  script: string;
  variables: string[];
  processes: ReadonlyMap<string, number>;
  say: (words: string) => void;
  meanwhile?: (signal: AbortSignal) => Promise<string>;
}): Promise<{ code: number; usage: Usage }> {
  const folder = mkdtempSync(join(tmpdir(), "carrel-k6-"));
  const summary = join(folder, "summary.json");
  const over = new AbortController();
  let sampling: Promise<Sample[]> | undefined;
  let further: Promise<string> | undefined;
  const child = spawn(
    o.k6,
    [
      // Without an address, k6 doesn't serve its own API.
      ...["run", "--quiet", "--address=", "--log-format=raw", `--summary-export=${summary}`],
      ...o.variables.flatMap((each) => ["-e", each]),
      o.script,
    ],
    {
      stdio: ["ignore", "inherit", "pipe"],
      env: { ...process.env, K6_NO_USAGE_REPORT: "true" },
    },
  );
  const processes = new Map([...o.processes, ["k6", child.pid!]]);
  createInterface(child.stderr).on("line", (line) => {
    if (line === "measuring") {
      sampling = keepSampling(processes, o.say, over.signal);
      further = o.meanwhile?.(over.signal);
    } else if (line === "measured") over.abort();
    else o.say(line);
  });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on("SIGINT", pass).on("SIGTERM", pass);
  const code = await new Promise<number>((done) => child.once("close", (exit) => done(exit ?? 1)));
  process.off("SIGINT", pass).off("SIGTERM", pass);
  over.abort();
  const samples = (await sampling) ?? [];
  let usage: Usage = new Map();
  if (existsSync(summary) && samples.length > 0) {
    const { metrics } = JSON.parse(readFileSync(summary, "utf8")) as {
      metrics: { iterations?: { count: number } };
    };
    const iterations = metrics.iterations?.count ?? 0;
    o.say(`\n${iterations} operations; CPU while they ran:`);
    o.say(describeLoad(samples, iterations));
    if (iterations > 0) usage = usageOf(samples, iterations);
  }
  if (further) o.say(await further);
  rmSync(folder, { recursive: true, force: true });
  return { code, usage };
}
