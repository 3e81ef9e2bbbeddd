import { startFakeProcess } from "@carrel/testing";
import { createFamilies, readAnswer, type Family } from "./providers-families.ts";

/**
 * What the provider layer adds to a vendor's SDK, or to plain HTTP where Carrel uses none: per call,
 * per streamed part, and with 1,000 streams at once. The vendor is a fake in another process.
 */
const calls = 300;
const longAnswers = 30;
const partsOfLong = 2_000;
const streams = 1_000;

const vendor = await startFakeProcess();
const behave = (behaviour: object): Promise<Response> =>
  fetch(`${vendor.url}/fake/behave`, { method: "POST", body: JSON.stringify(behaviour) });
const median = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const print = (row: Record<"what" | "figure" | "reach" | "goal" | "how", string>): void =>
  void process.stdout.write(`${JSON.stringify(row)}\n`);

async function timed(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await run();
  return performance.now() - began;
}

/** Processor time of this process, which leaves out what the fake does meanwhile. */
async function usedBy(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** Both ways in turn, so that a busy machine slows both. */
async function compare(
  family: Family,
  rounds: number,
  measure: (run: () => Promise<unknown>) => Promise<number>,
): Promise<{ ours: number; raw: number }> {
  const ours: number[] = [];
  const raw: number[] = [];
  for (let round = 0; round < rounds * 1.2; round++) {
    const measured = [
      await measure(() => readAnswer(family)),
      await measure(() => family.readRaw()),
    ] as const;
    if (round < rounds * 0.2) continue;
    ours.push(measured[0]);
    raw.push(measured[1]);
  }
  return { ours: median(ours), raw: median(raw) };
}

const families = createFamilies(vendor.url);
for (const family of families) {
  await behave({ tokens: 3 });
  const call = await compare(family, calls, timed);
  await behave({ tokens: partsOfLong });
  const long = await compare(family, longAnswers, usedBy);
  print({
    what: `${family.name}: added to a call`,
    figure: `${(call.ours - call.raw).toFixed(2)} ms`,
    reach: "≤ 1 ms",
    goal: "",
    how: `p50 of ${calls} calls in sequence: ${call.ours.toFixed(2)} ms, ${family.raw} ${call.raw.toFixed(2)} ms`,
  });
  print({
    what: `${family.name}: added to a part`,
    figure: `${((long.ours - long.raw) / partsOfLong).toFixed(1)} µs`,
    reach: "≤ 20 µs",
    goal: "",
    how: `processor time, median of ${longAnswers} answers of ${partsOfLong} parts: ${(long.ours / partsOfLong).toFixed(1)} µs per part, ${family.raw} ${(long.raw / partsOfLong).toFixed(1)} µs`,
  });
}
await behave({ tokens: 20, delayMs: 50 });
for (const family of families) {
  const began = performance.now();
  const results = await Promise.allSettled(
    Array.from({ length: streams }, () => readAnswer(family)),
  );
  const failed = results.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
  print({
    what: `${family.name}: ${streams.toLocaleString("en")} streams at once`,
    figure: `${failed.length} errors`,
    reach: "0 errors",
    goal: "",
    how: `20 parts each, one per 50 ms; all done after ${((performance.now() - began) / 1000).toFixed(1)} s${failed[0] ? `; ${String(failed[0].reason)}` : ""}`,
  });
}
vendor.stop();
