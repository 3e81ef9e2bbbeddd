/**
 * Start time: `./carrel start` on an existing data folder until /api/ping answers. `--runs=1`
 * instead of five. `--fresh`: the first start of a clone instead.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../tools/process.ts";
import { quantile } from "./client.ts";
import { cpuByProgram } from "./memory-processes.ts";
import { startCheckout } from "./start-checkout.ts";
import { measureFreshStarts } from "./start-fresh.ts";

const root = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "carrel-bench-start-"));
const port = await freePort();
const option = process.argv.find((text) => text.startsWith("--runs="))?.slice("--runs=".length);
const runs = Number(option ?? 5);

const start = () => startCheckout(root, { home, port });

async function measureStarts(): Promise<void> {
  await (await start()).stop();
  const times: number[] = [];
  const cpu: Map<string, number>[] = [];
  for (let run = 0; run < runs; run++) {
    const running = await start();
    times.push(running.seconds);
    cpu.push(cpuByProgram(running.pid));
    await running.stop();
  }
  const programs = [...cpu[0]!.keys()].map(
    (program) =>
      `${program} ${(
        quantile(
          cpu.map((used) => used.get(program) ?? 0),
          0.5,
        ) / 1000
      ).toFixed(2)}`,
  );
  console.log(
    JSON.stringify({
      what: "start",
      how: `./carrel start with an existing data folder until /api/ping answers, median (min–max) of ${runs}; CPU until then: ${programs.join(", ")} s`,
      figure: `${quantile(times, 0.5).toFixed(2)} (${Math.min(...times).toFixed(2)}–${Math.max(...times).toFixed(2)}) s`,
      reach: "≤ 6 s",
      goal: "1.5 s",
    }),
  );
}

try {
  await (process.argv.includes("--fresh") ? measureFreshStarts(root) : measureStarts());
} finally {
  rmSync(home, { recursive: true, force: true });
}
