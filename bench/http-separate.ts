import { readFileSync } from "node:fs";
import pg from "pg";
import {
  Deployment,
  startFakeProcess,
  startTestRedis,
  testDatabase,
} from "../libs/testing/src/index.ts";
import { services } from "../tools/services.ts";
import {
  measureBurst,
  measureStreams,
  openThreads,
  type Row,
  type Target,
} from "./http-answers.ts";
import { cpuOfOne, readCpu } from "./http-cpu.ts";
import { measureReads } from "./http-reads.ts";
import { total } from "./memory-processes.ts";

const others = services.filter((name) => name !== "chat");

/** Process id of the PostgreSQL server behind `url`. */
export async function postgresPid(url: string): Promise<number> {
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
  const deployment = new Deployment({
    database: database.url,
    redis: redis.url,
    llm: vendor.url,
    environment: { CARREL_MODEL_HUB: "off", CARREL_SETTING_GenericOpenAiTokenLimit: "32000" },
    options: ["--max-semi-space-size=8"],
  });
  try {
    const chats = Array.from({ length: chatReplicas }, () => "chat");
    for (const name of [...others, ...chats, "gateway"]) await deployment.deploy(name);
    const { deployed } = deployment;
    const processes = new Map([
      ...deployed.map(({ name, child }, index) => [`${name} ${index}`, child.pid!] as const),
      ["postgres", await postgresPid(database.url)] as const,
      ["redis", redis.pid] as const,
    ]);
    return await measure({ url: deployed.at(-1)!.url, processes, print });
  } finally {
    await deployment.stop("SIGTERM");
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
