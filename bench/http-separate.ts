import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import {
  measureBurst,
  measureStreams,
  openThreads,
  type Row,
  type Target,
} from "./http-answers.ts";
import { cpuOfOne, readCpu } from "./http-cpu.ts";
import { total } from "./memory-processes.ts";
import { measureReads } from "./http-reads.ts";
import {
  freePort,
  guardedFolder,
  startFakeProcess,
  startTestRedis,
  testDatabase,
  waitFor,
} from "../libs/testing/src/index.ts";

const root = resolve(import.meta.dirname, "..");
const services = ["auth", "workspace", "ingest", "connectors"];

interface Deployed {
  name: string;
  child: ChildProcess;
  url: string;
}

/** Starts the built gateway or a built service, and waits until it is ready. */
async function startOne(name: string, environment: NodeJS.ProcessEnv): Promise<Deployed> {
  const [port, healthPort] = [await freePort(), await freePort()];
  const child = spawn(
    process.execPath,
    ["--max-semi-space-size=8", join(root, `dist/${name}.js`)],
    {
      cwd: root,
      env: { ...environment, CARREL_PORT: String(port), CARREL_HEALTH_PORT: String(healthPort) },
      stdio: ["ignore", "ignore", "inherit"],
    },
  );
  await waitFor(
    () => {
      if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
      return fetch(`http://127.0.0.1:${healthPort}/readyz`).then((reply) => reply.ok);
    },
    { timeoutMs: 90_000, what: name },
  );
  return { name, child, url: `http://127.0.0.1:${port}` };
}

/** Process id of the PostgreSQL server behind `url`. */
async function postgresPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const parent = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${rows[0]!.pid}/status`, "utf8"))![1];
  await client.end();
  return Number(parent);
}

/** Runs `measure` on the built product as one process per service, with this many chat replicas. */
async function deploy<Result>(
  chatReplicas: number,
  print: Target["print"],
  measure: (target: Target) => Promise<Result>,
): Promise<Result> {
  const [database, redis, vendor] = await Promise.all([
    testDatabase(),
    startTestRedis(),
    startFakeProcess("--tokens", "200", "--delay", "10"),
  ]);
  const home = guardedFolder("carrel-bench-separate-");
  const environment = {
    PATH: process.env.PATH,
    CARREL_HOME: home,
    CARREL_SECRET: "benchmark-".repeat(5),
    CARREL_LOG_LEVEL: "warn",
    CARREL_MODEL_HUB: "off",
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_SETTING_LLMProvider: "generic-openai",
    CARREL_SETTING_GenericOpenAiBasePath: `${vendor.url}/v1`,
    CARREL_SETTING_GenericOpenAiModelPref: "fake-model",
    CARREL_SETTING_GenericOpenAiTokenLimit: "32000",
    CARREL_SETTING_EmbeddingEngine: "generic-openai",
    CARREL_SETTING_EmbeddingBasePath: `${vendor.url}/v1`,
    CARREL_SETTING_EmbeddingModelPref: "fake-embedding",
  };
  const deployed: Deployed[] = [];
  try {
    const chats = Array.from({ length: chatReplicas }, () => "chat");
    for (const name of [...services, ...chats, "gateway"])
      deployed.push(await startOne(name, environment));
    const processes = new Map([
      ...deployed.map(({ name, child }, index) => [`${name} ${index}`, child.pid!] as const),
      ["postgres", await postgresPid(database.url)] as const,
      ["redis", redis.pid] as const,
    ]);
    return await measure({ url: deployed.at(-1)!.url, processes, print });
  } finally {
    for (const { child } of deployed.toReversed()) {
      const ended = once(child, "exit");
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    }
    rmSync(home, { recursive: true, force: true });
    vendor.stop();
    await redis.stop();
    await database.drop();
  }
}

/** CPU per answer of the busiest chat replica, with 400 questions asked at once. */
async function busiestReplica({ url, processes }: Target): Promise<number> {
  const ask = await openThreads(url, "Replicas", 400);
  await ask();
  const replicas = [...processes].filter(([name]) => name.startsWith("chat"));
  const before = replicas.map((replica) => readCpu(new Map([replica])));
  await ask();
  return Math.max(
    ...replicas.map((replica, index) =>
      total(cpuOfOne(before[index]!, readCpu(new Map([replica])), 400)),
    ),
  );
}

/**
 * Reads and answers with each service in its own process, and the gain from a second chat replica.
 * `runs` selects the rows.
 */
export async function measureSeparate(
  print: (row: Row) => void,
  runs: (row: string) => boolean,
): Promise<void> {
  const separate = (row: Row): void => print({ ...row, what: `${row.what}, separate processes` });
  const one = await deploy(1, separate, async (target) => {
    if (runs("reads")) await measureReads(target);
    if (runs("burst")) await measureBurst(target);
    for (const count of runs("streams") ? [20, 200, 1000] : []) await measureStreams(target, count);
    return runs("replicas") ? busiestReplica(target) : null;
  });
  if (one === null) return;
  const two = await deploy(2, separate, busiestReplica);
  print({
    what: "streams of two chat replicas",
    how: `CPU of the busiest replica for each of 400 answers at once: ${one.toFixed(2)} ms with one, ${two.toFixed(2)} ms with two; how many times the streams two carry when each has a core`,
    figure: `${(one / two).toFixed(2)} x`,
    reach: "",
    goal: "1.6 x",
  });
}
