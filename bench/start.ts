/**
 * Start time and memory: a second `./carrel start` on an existing data folder until /api/ping
 * answers, then the idle product's PSS after a minute.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { freePort, readPid, sleep } from "../tools/process.ts";

const root = join(import.meta.dirname, "..");
const home = mkdtempSync(join(tmpdir(), "carrel-bench-start-"));
const port = await freePort();

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

/** Proportional set size of a process and its descendants, in MB. */
function pss(pid: number): number {
  const own =
    Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0) /
    1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter(Boolean)
    .map(Number);
  return children.reduce((sum, child) => sum + pss(child), own);
}

try {
  await (await start()).stop();
  const times: number[] = [];
  for (let run = 0; run < 3; run++) {
    const running = await start();
    times.push(running.seconds);
    if (run < 2) {
      await running.stop();
      continue;
    }
    await sleep(60_000);
    const folder = join(home, "postgres");
    const postgresPid = readPid(join(folder, "data", "postmaster.pid"));
    const redisPid = readPid(join(home, "redis", "redis.pid"));
    const own =
      Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${running.pid}/smaps_rollup`, "utf8"))![1]) /
      1024;
    const parts = {
      ours: own,
      postgresql: postgresPid ? pss(postgresPid) : 0,
      redis: redisPid ? pss(redisPid) : 0,
    };
    const sum = parts.ours + parts.postgresql + parts.redis;
    console.log(
      JSON.stringify({
        what: "start",
        how: "second ./carrel start until /api/ping answers, median of 3",
        figure: `${times.sort((a, b) => a - b)[1]!.toFixed(2)} s`,
        reach: "≤ 6 s",
        goal: "3 s",
      }),
    );
    console.log(
      JSON.stringify({
        what: "memory",
        how: `PSS idle, 60 s after the start: our process ${parts.ours.toFixed(0)}, PostgreSQL ${parts.postgresql.toFixed(0)}, Redis ${parts.redis.toFixed(0)} MB`,
        figure: `${sum.toFixed(0)} MB`,
        reach: "≤ 350 MB",
        goal: "250 MB",
      }),
    );
    await running.stop();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
