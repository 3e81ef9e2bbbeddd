/**
 * `npm run test:rollout [-- --rounds=1 --askers=12 --words=600]`: two replicas of every service and
 * two gateways behind a load balancer, each in a separate process, and clients that ask questions
 * with long answers (600 words take 24 s), read, search and upload throughout. Each round restarts
 * every replica, as Compose does (the old one ends first) and then as Kubernetes does (the new one
 * is ready first). Exits with 1 if an answer was cut, a request failed, a connection was refused, a
 * process didn't end by itself or a job failed.
 */
import { parseArgs } from "node:util";
import {
  Deployment,
  startFakeProcess,
  startTestRedis,
  testDatabase,
  type Deployed,
} from "@carrel/testing";
import { ensureBuilt } from "../../../tools/build.ts";
import { redisProgram } from "../../../tools/redis-program.ts";
import { processes } from "../../../tools/services.ts";
import { Balancer } from "./balancer.ts";
import { replaceReplicas } from "./replace-replicas.ts";
import { RolloutLoad, listFailedJobs } from "./rollout-load.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "1" },
    askers: { type: "string", default: "12" },
    words: { type: "string", default: "600" },
  },
});
const began = performance.now();
const say = (words: string): void =>
  void process.stdout.write(
    `${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${words}\n`,
  );

await ensureBuilt();
await redisProgram();
const [database, redis, vendor] = await Promise.all([
  testDatabase(),
  startTestRedis(),
  startFakeProcess("--echo", "--delay", "40"),
]);
const deployment = new Deployment({
  database: database.url,
  redis: redis.url,
  llm: vendor.url,
  environment: { CARREL_DRAIN_SECONDS: "60", CARREL_STOP_DELAY_SECONDS: "2" },
});
const faults: string[] = [];
let balancer: Balancer | null = null;
try {
  say("starting two of everything");
  for (const name of processes) {
    // The first one prepares the database.
    const first: Deployed = await deployment.deploy(name);
    await deployment.deploy(first.name);
  }
  balancer = await Balancer.start(() => deployment.named("gateway"));
  const load = new RolloutLoad({
    url: balancer.url,
    database: database.url,
    words: Number(values.words),
    askers: Number(values.askers),
  });
  await load.start();
  await load.until(1);
  for (let round = 1; round <= Number(values.rounds); round += 1)
    for (const first of ["stop", "start"] as const) {
      say(first === "stop" ? "the old replica ends first" : "the new replica is ready first");
      for (const name of processes) {
        faults.push(...(await replaceReplicas(deployment, name, first)));
        say(`  ${name}: ${load.summary()}`);
      }
    }
  await load.stop();
  faults.push(...load.faults, ...(await listFailedJobs(deployment)));
  if (balancer.refused > 0) faults.push(`${balancer.refused} connections were refused`);
  say(`${load.summary()}; ${faults.length} faults in all`);
} catch (error) {
  faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
} finally {
  balancer?.stop();
  await deployment.stop();
  vendor.stop();
  await redis.stop();
  await database.drop();
}
for (const fault of faults) say(fault);
// The test's PostgreSQL ends with this process.
process.exit(faults.length > 0 ? 1 : 0);
