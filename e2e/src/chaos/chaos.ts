/**
 * `npm run test:chaos [--rounds=20] [--streams=100] [--seed=1]`: two gateways, two chat replicas,
 * the other services and a slow model, each in a separate process; each round kills one gateway or
 * chat replica with SIGKILL while all streams are running, then restarts it. Before that, agents in
 * every state of a run lose their chat replica, to SIGKILL and to SIGTERM (`--agents=1`, times).
 * Exits with 1 if anything was lost, duplicated or too slow.
 */
import { parseArgs } from "node:util";
import {
  Deployment,
  startFakeLlm,
  startFakeProcess,
  startTestRedis,
  testDatabase,
} from "@carrel/testing";
import { ensureBuilt } from "../../../tools/build.ts";
import { processes } from "../../../tools/services.ts";
import { loseReplica, reachesFakeMcp } from "../agent-states/lost-replica.ts";
import { prepareGround, runRound, type RoundResult } from "./chaos-round.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    streams: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    agents: { type: "string", default: "1" },
  },
});
const [rounds, streams, seed] = [
  Number(values.rounds),
  Number(values.streams),
  Number(values.seed),
];
const say = (words: string): void => void process.stdout.write(`${words}\n`);
const columns = [
  "round",
  "killed",
  "streams",
  "full",
  "aborted",
  "cut",
  "refused",
  "lost",
  "doubled",
  "slowest end",
];
const line = (cells: (string | number)[]): string =>
  cells.map((cell, n) => String(cell).padEnd(columns[n]!.length)).join("  ");
const cellsOf = (r: RoundResult): (string | number)[] => [
  r.streams,
  r.full,
  r.aborted,
  r.cut,
  r.refused,
  r.lost,
  r.doubled,
  `${(r.slowest / 1000).toFixed(1)} s`,
];

/** Returns how many faults there were. */
async function loseAgents(times: number): Promise<number> {
  const [database, redis, llm] = await Promise.all([
    testDatabase(),
    startTestRedis(),
    startFakeLlm(),
  ]);
  const deployment = new Deployment({
    database: database.url,
    redis: redis.url,
    llm: llm.url,
    environment: reachesFakeMcp,
  });
  let count = 0;
  try {
    for (const name of processes) await deployment.deploy(name);
    for (let time = 1; time <= times; time += 1)
      for (const signal of ["SIGKILL", "SIGTERM"] as const) {
        const startedAt = performance.now();
        const faults = await loseReplica(deployment, llm, signal);
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1);
        say(`agents, ${signal}: ${faults.length} faults, ${seconds} s`);
        for (const fault of faults) say(`       ${fault}`);
        count += faults.length;
      }
  } finally {
    await deployment.stop();
    await llm.stop();
    await redis.stop();
    await database.drop();
  }
  return count;
}

await ensureBuilt();
const times = Number(values.agents);
if (times > 0) say("Starting the services for agents");
const agentFaults = times > 0 ? await loseAgents(times) : 0;
const [database, redis, vendor] = await Promise.all([
  testDatabase(),
  startTestRedis(),
  startFakeProcess("--echo", "--delay", "40"),
]);
const deployment = new Deployment({ database: database.url, redis: redis.url, llm: vendor.url });
const results: RoundResult[] = [];
try {
  say("Starting two gateways, two chat replicas and the other services");
  for (const name of [...processes, "chat", "gateway"]) await deployment.deploy(name);
  const ground = await prepareGround(deployment, database.url, streams);
  say(line(columns));
  for (let round = 1; round <= rounds; round += 1) {
    const kind = round % 2 === 1 ? "gateway" : "chat";
    const result = await runRound(ground, { round, kind, seed });
    results.push(result);
    say(line([round, kind, ...cellsOf(result)]));
    for (const fault of result.faults.slice(0, 8)) say(`       ${fault}`);
    if (round < rounds) await deployment.deploy(kind);
  }
} finally {
  await deployment.stop();
  vendor.stop();
  await redis.stop();
  await database.drop();
}
const sum = (of: "streams" | "full" | "aborted" | "cut" | "refused" | "lost" | "doubled"): number =>
  results.reduce((total, result) => total + result[of], 0);
const slowest = Math.max(...results.map((result) => result.slowest));
say(
  line([
    "all",
    `${results.length} rounds`,
    sum("streams"),
    sum("full"),
    sum("aborted"),
    sum("cut"),
    sum("refused"),
    sum("lost"),
    sum("doubled"),
    `${(slowest / 1000).toFixed(1)} s`,
  ]),
);
say(
  "full: the whole text; aborted: told so, the text so far kept; cut: a client of the old wire lost its connection, the answer was kept; refused: told before anything was written",
);
const faults = results.reduce((total, result) => total + result.faults.length, agentFaults);
if (faults > 0) say(`${faults} faults`);
process.exit(faults > 0 || results.length < rounds ? 1 : 0);
