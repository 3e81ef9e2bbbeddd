/**
 * `npm run test:upgrade [-- --previous=<commit>]`: every service of the previous version and of this
 * one, in turn and side by side, on one PostgreSQL and one Redis, while clients read, ask and upload.
 * First the new version's migrations run; then each service is replaced, callees first; then each
 * goes back to the previous version, callers first, as in an upgrade that is called off. No request
 * may fail. The previous version is the newest tag before this commit; without one, the state before
 * the newest migration.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  Deployment,
  guardedFolder,
  startFakeLlm,
  startTestRedis,
  testDatabase,
  type Deployed,
} from "@carrel/testing";
import { ensureBuilt } from "../../../tools/build.ts";
import { root } from "../../../tools/checkout.ts";
import { redisProgram } from "../../../tools/redis-program.ts";
import { processes, services } from "../../../tools/services.ts";
import { Api } from "../api.ts";
import { addPump, askAboutPump, Load } from "../containers/main-job.ts";

const { values } = parseArgs({ options: { previous: { type: "string" } } });
const began = performance.now();
const say = (words: string): void =>
  void process.stdout.write(
    `${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${words}\n`,
  );

/** Runs a program and returns what it printed; "" if it failed and may. */
async function run(folder: string, command: string[], mayFail = false): Promise<string> {
  const [program, ...args] = command;
  const child = spawn(program!, args, {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", mayFail ? "ignore" : "inherit"],
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code === 0) return output.trim();
  if (mayFail) return "";
  throw new Error(`${command.join(" ")} ended with ${code}`);
}
const git = (...args: string[]): Promise<string> => run(root, ["git", ...args]);

async function findPrevious(): Promise<string> {
  if (values.previous !== undefined) return values.previous;
  const tag = await run(root, ["git", "describe", "--tags", "--abbrev=0", "HEAD^"], true);
  if (tag !== "") return tag;
  const migrations = "services/*/src/database/migrations";
  return `${await git("log", "-1", "--format=%H", "--", `:(glob)${migrations}/*.ts`)}^`;
}

/** Replaces a service by one from another checkout; both run side by side for a while. */
async function replace(name: string, checkout: string): Promise<void> {
  const [old] = deployment.named(name) as [Deployed];
  const joined = await deployment.deploy(name, checkout);
  if (name === "gateway") urls.push(joined.url);
  await load.more(requestsEach);
  // Do what a load balancer does when it learns that a gateway will stop.
  if (name === "gateway") urls.shift();
  await deployment.kill(old, "SIGTERM");
  await load.more(requestsEach);
  say(`  ${name}: ${load.summary()}`);
  if (load.failures.length > 0) throw new Error(load.failures.join("\n"));
}

/** Requests of each kind, before and after a replica of the other version has left. */
const requestsEach = 4;

await ensureBuilt();
await redisProgram();
const previous = await findPrevious();
/** Removed when this process ends. */
const folder = guardedFolder("carrel-previous-");
const [database, redis, vendor] = await Promise.all([
  testDatabase(),
  startTestRedis(),
  startFakeLlm(),
]);
vendor.behave({ reply: "In March [1]." });
const deployment = new Deployment({ database: database.url, redis: redis.url, llm: vendor.url });
const urls: string[] = [];
let load: Load;
try {
  await run(root, ["sh", "-c", 'git archive "$1" | tar -x -C "$2"', "sh", previous, folder]);
  say(`building ${previous}: ${await git("log", "-1", "--format=%h %s", previous)}`);
  if (existsSync(join(root, ".tools/node"))) {
    mkdirSync(join(folder, ".tools"), { recursive: true });
    symlinkSync(join(root, ".tools/node"), join(folder, ".tools/node"));
  }
  await run(folder, ["./carrel", "build"]);
  await Promise.all(processes.map((name) => deployment.deploy(name, folder)));
  const [gateway] = deployment.named("gateway") as [Deployed];
  urls.push(gateway.url);
  const api = new Api(gateway.url);
  const { slug } = await api.makeWorkspace("Pumps");
  await addPump(api, slug);
  await askAboutPump(api, slug);
  say("the previous version runs, has a document and answers");

  load = new Load(urls, slug, true);
  for (const name of services) await deployment.migrate(name);
  await load.more(requestsEach);
  say(`migrated: ${load.summary()}`);
  say("to the new version");
  for (const name of processes) await replace(name, root);
  say("back to the previous one");
  for (const name of processes.toReversed()) await replace(name, folder);
  await load.stop();
  if (load.failures.length > 0) throw new Error(load.failures.join("\n"));
  await load.checkUploads(new Api(urls[0]!));
  say(`no request failed: ${load.summary()}`);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  for (const one of deployment.deployed) process.stderr.write(one.log().slice(-3_000));
} finally {
  await deployment.stop();
  await vendor.stop();
  await redis.stop();
  await database.drop();
}
// The test's PostgreSQL ends with this process.
process.exit();
