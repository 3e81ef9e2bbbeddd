/**
 * `npm run test:rotation`: follows docs/runbooks/rotate-secrets.md with every service as a process
 * of its own, while clients read, ask and upload: a rolling rotation of the instance secret, whose
 * command is killed once, then new passwords of the database's owner and of Redis. No request may
 * fail, and afterwards nothing may accept what was replaced.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import {
  Deployment,
  startFakeLlm,
  startTestRedis,
  testDatabase,
  type Deployed,
} from "@carrel/testing";
import pg from "pg";
import { ensureBuilt } from "../../../tools/build.ts";
import { root } from "../../../tools/checkout.ts";
import { redisProgram } from "../../../tools/redis-program.ts";
import { processes } from "../../../tools/services.ts";
import { Api } from "../api.ts";
import { addPump, askAboutPump, Load } from "../containers/main-job.ts";

const began = performance.now();
const say = (words: string): void =>
  void process.stdout.write(
    `${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${words}\n`,
  );
/** Requests of each kind, before and after a process has left. */
const requestsEach = 2;
const [previous, next] = ["previous-".repeat(5), "next-".repeat(9)] as const;

await ensureBuilt();
await redisProgram();
const [database, redis, vendor] = await Promise.all([
  testDatabase(),
  startTestRedis(),
  startFakeLlm(),
]);
vendor.behave({ reply: "In March [1]." });
const admin = new pg.Client({ connectionString: database.url });
await admin.connect();
const databaseName = new URL(database.url).pathname.slice(1);
const owner = `${databaseName}_owner`;

const withLogin = (text: string, user: string, password: string): string => {
  const url = new URL(text);
  url.username = user;
  url.password = password;
  return url.href;
};
/** What each process that starts from now on gets. */
const settings: Record<string, string> = {
  CARREL_SECRET: previous,
  CARREL_SECRET_OTHER: "",
  DATABASE_URL: withLogin(database.url, owner, "first"),
  REDIS_URL: redis.url,
};
const deployment = new Deployment({
  database: settings.DATABASE_URL!,
  redis: redis.url,
  llm: vendor.url,
});
const urls: string[] = [];
let load: Load;

/** Restarts every process with the present settings, callees first, one at a time. */
async function roll(): Promise<void> {
  for (const name of processes) {
    const [old] = deployment.named(name) as [Deployed];
    const joined = await deployment.deploy(name, root, settings);
    if (name === "gateway") urls.push(joined.url);
    await load.more(requestsEach);
    // Do what a load balancer does when it learns that a gateway will stop.
    if (name === "gateway") urls.shift();
    await deployment.kill(old, "SIGTERM");
    await load.more(requestsEach);
    if (load.failures.length > 0) throw new Error(`${name}: ${load.failures.join("\n")}`);
  }
  say(`  restarted every process: ${load.summary()}`);
}

/** Runs the operator's command; with `killAfter`, kills it when it has printed that. */
async function rotate(killAfter?: string): Promise<{ code: number | null; printed: string }> {
  const child = spawn(join(root, "carrel"), ["rotate-secret"], {
    env: { ...process.env, ...settings, CARREL_HOME: deployment.home, NODE_OPTIONS: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => {
      printed += data.toString();
      if (killAfter !== undefined && printed.includes(killAfter)) child.kill("SIGKILL");
    });
  const [code] = (await once(child, "close")) as [number | null];
  return { code, printed };
}

/** Starts a process, which must end because of its secret. */
async function refuses(name: string, secret: string): Promise<void> {
  const child = spawn(process.execPath, [join(root, `dist/${name}.js`)], {
    cwd: root,
    env: {
      ...process.env,
      ...settings,
      NODE_OPTIONS: "",
      CARREL_HOME: deployment.home,
      CARREL_SECRET: secret,
      CARREL_SECRET_OTHER: "",
      CARREL_PORT: "0",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let printed = "";
  child.stderr.on("data", (data: Buffer) => (printed += data.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 1 || !printed.includes("belongs to an instance with another secret"))
    throw new Error(`${name} with another secret ended with ${code}: ${printed}`);
}

const connects = (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
};
function check(isRight: boolean, words: string): void {
  if (!isRight) throw new Error(words);
  say(words);
}

try {
  await admin.query(
    `CREATE ROLE ${owner} LOGIN CREATEROLE PASSWORD 'first';
    ALTER DATABASE ${databaseName} OWNER TO ${owner}`,
  );
  await Promise.all(processes.map((name) => deployment.deploy(name, root, settings)));
  const [gateway] = deployment.named("gateway") as [Deployed];
  urls.push(gateway.url);
  const api = new Api(gateway.url);
  const { slug } = await api.makeWorkspace("Pumps");
  await addPump(api, slug);
  await askAboutPump(api, slug);
  await api.json("POST", "/system/update-env", { OpenAiKey: "sk-kept-through-the-rotation" });
  const { apiKey } = await api.json<{ apiKey: { secret: string } }>(
    "POST",
    "/system/generate-api-key",
    { name: "kept" },
  );
  const knowsKey = async (): Promise<boolean> => {
    const key = new Api(urls[0]!);
    key.token = apiKey.secret;
    return (await key.call("GET", "/v1/auth")).status === 200;
  };
  check(await knowsKey(), "an API key works, and a provider's key is stored");
  await refuses("chat", next);
  await refuses("gateway", next);
  say("a service and a gateway with another secret refuse to start");

  load = new Load(urls, slug, true);
  await load.more(requestsEach);
  say("every process accepts the next secret");
  settings.CARREL_SECRET_OTHER = next;
  await roll();
  const early = await (async () => {
    [settings.CARREL_SECRET, settings.CARREL_SECRET_OTHER] = [next, previous];
    return rotate();
  })();
  check(
    early.code === 1 && early.printed.includes("running processes use the previous secret"),
    "too early, the command refuses",
  );
  say("every process uses the next secret");
  await roll();
  const killed = await rotate("Sealing what");
  check(killed.code === null, "the command was killed");
  await load.more(requestsEach);
  const done = await rotate();
  if (done.code !== 0) throw new Error(done.printed);
  check(done.printed.includes("Nothing that the previous secret sealed is left"), "and repeated");
  process.stdout.write(done.printed.replaceAll(/^/gm, "           "));
  await load.more(requestsEach);
  say("no process accepts the previous secret any more, and logins are new");
  settings.CARREL_SECRET_OTHER = "";
  await admin.query(`ALTER ROLE ${owner} PASSWORD 'second'`);
  settings.DATABASE_URL = withLogin(database.url, owner, "second");
  const before = new URL(redis.url);
  await redis.run("ACL", "SETUSER", "default", ">second");
  settings.REDIS_URL = withLogin(redis.url, before.username, "second");
  await load.more(requestsEach);
  await roll();
  await redis.run("ACL", "SETUSER", "default", `<${decodeURIComponent(before.password)}`);
  await load.more(requestsEach);
  // Every login from now on needs what is new.
  await admin.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = $1 AND pid <> pg_backend_pid() AND application_name LIKE 'carrel %'`,
    [databaseName],
  );
  await load.more(requestsEach);
  await load.stop();
  if (load.failures.length > 0) throw new Error(load.failures.join("\n"));
  await load.checkUploads(new Api(urls[0]!));
  say(`no request failed, no upload was lost: ${load.summary()}`);

  check(await knowsKey(), "the API key still works");
  await refuses("chat", previous);
  await refuses("gateway", previous);
  say("a service and a gateway with the previous secret refuse to start");
  check(
    !(await connects(withLogin(database.url, owner, "first"))) &&
      (await connects(settings.DATABASE_URL)),
    "PostgreSQL refuses the owner's previous password",
  );
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  for (const one of deployment.deployed) process.stderr.write(one.log().slice(-3_000));
} finally {
  await deployment.stop();
  await vendor.stop();
  await redis.stop();
  await admin.end();
  await database.drop();
}
// The test's PostgreSQL ends with this process.
process.exit();
