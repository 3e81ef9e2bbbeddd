/**
 * Start time: `./carrel start` on an existing data folder until /api/ping answers. `--runs=1`
 * instead of five.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, sleep } from "../tools/process.ts";
import { quantile } from "./client.ts";
import { cpuByProgram } from "./memory-processes.ts";

const root = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "carrel-bench-start-"));
const port = await freePort();
const option = process.argv.find((text) => text.startsWith("--runs="))?.slice("--runs=".length);
const runs = Number(option ?? 5);

async function start(): Promise<{ seconds: number; pid: number; stop(): Promise<void> }> {
  const begun = performance.now();
  const child = spawn(join(root, "carrel"), ["start"], {
    cwd: root,
    env: {
      ...process.env,
      NODE_OPTIONS: process.env.CARREL_NODE_OPTIONS ?? "", // set by `./carrel bench profile`
      CARREL_MODEL_HUB: "off",
      CARREL_HOME: home,
      CARREL_PORT: String(port),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = new Promise<never>((_, reject) =>
    child.once("exit", (code) => reject(new Error(`the start ended with exit code ${code}`))),
  );
  ended.catch(() => undefined);
  const answered = (async () => {
    for (;;) {
      const reply = await fetch(`http://127.0.0.1:${port}/api/ping`).catch(() => null);
      if (reply?.ok) return;
      await sleep(10);
    }
  })();
  await Promise.race([answered, ended]);
  return {
    seconds: (performance.now() - begun) / 1000,
    pid: child.pid!, // the shell replaced itself with Node (exec)
    stop: () =>
      new Promise((resolve) => {
        child.once("exit", () => resolve());
        child.kill("SIGTERM");
      }),
  };
}

try {
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
} finally {
  rmSync(home, { recursive: true, force: true });
}
