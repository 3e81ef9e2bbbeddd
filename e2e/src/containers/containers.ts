/**
 * `npm run test:containers [-- --previous=<commit>] [--built] [--keep]`: builds the images, starts the Compose
 * stack, runs the main job, scales, upgrades under load, reads all formats, has an agent call tools,
 * rotates secrets, kills containers at work and restores a backup; then the same job with standalone. `--previous` starts with the images of
 * that commit, so that only the steps before the upgrade depend on it; without it, the upgrade
 * replaces containers by those of the same images. `--built` uses the images of an earlier run,
 * `--keep` leaves the stack running.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { waitFor } from "@carrel/testing";
import { freePort } from "../../../tools/process.ts";
import { processes } from "../../../tools/services.ts";
import { Api } from "../api.ts";
import { runAgent } from "./agent-job.ts";
import {
  buildImage,
  ensureBaseImages,
  hasImage,
  missingDocker,
  root,
  run,
  runDocker,
  runDockerWith,
  Stack,
  stockImages,
  unpackedSize,
} from "./docker.ts";
import { readEveryFormat } from "./formats.ts";
import { addPump, askAboutPump, Load, ready } from "./main-job.ts";
import { checkPrivileges } from "./privileges.ts";
import { refuseAnotherSecret, rotateSecrets } from "./rotation-job.ts";

const { values } = parseArgs({
  options: {
    previous: { type: "string" },
    built: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
  },
});
const missing = missingDocker();
if (missing !== null) {
  process.stderr.write(`npm run test:containers needs ${missing}. Nothing was tested.\n`);
  process.exit(1);
}
/** In MB. Native code makes two larger (docs/decisions/images.md). */
const limits: Record<string, number> = { ingest: 490, standalone: 700 };
const limitOf = (name: string): number => limits[name] ?? 350;
const began = performance.now();
const say = (words: string): void =>
  void process.stdout.write(
    `${String(Math.round((performance.now() - began) / 1000)).padStart(5)} s  ${words}\n`,
  );

const { node, postgresql, redis, qdrant } = stockImages();
await ensureBaseImages([node, postgresql, redis]);
for (const name of [...processes, "standalone"]) {
  if (!values.built) await buildImage(name, `carrel-test-${name}:current`, root);
  const size = await unpackedSize(`carrel-test-${name}:current`);
  say(`${name}: ${size} MB`);
  if (size > limitOf(name)) throw new Error(`${name} is larger than ${limitOf(name)} MB`);
}
for (const name of [...processes, "standalone"]) await checkContents(`carrel-test-${name}:current`);
for (const name of processes) await checkShell(`carrel-test-${name}:current`);
if (values.previous !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), "carrel-previous-"));
  await run("git", ["worktree", "add", "--detach", folder, values.previous]);
  try {
    for (const name of processes) await buildImage(name, `carrel-test-${name}:previous`, folder);
    say(`built the images of ${values.previous}`);
  } finally {
    await run("git", ["worktree", "remove", "--force", folder]);
  }
}

async function checkContents(image: string): Promise<void> {
  const check = join(root, "tools/images/check-contents.mjs");
  const mount = `${check}:/check-contents.mjs:ro`;
  await runDocker("run", "--rm", "--read-only", "-v", mount, image, "/check-contents.mjs");
}

/** Throws if a shell can be started in the image. */
async function checkShell(image: string): Promise<void> {
  const shell = ["run", "--rm", "--entrypoint", "/bin/sh", image, "-c", "true"];
  const starts = await runDocker(...shell).then(
    () => true,
    () => false,
  );
  if (starts) throw new Error(`${image} has a shell`);
}

const port = await freePort();
const withQdrant = await hasImage(qdrant);
const stack = new Stack("carrel-test", {
  CARREL_IMAGE: "carrel-test",
  CARREL_TAG: values.previous === undefined ? "current" : "previous",
  CARREL_PORT: String(port),
  CARREL_VECTOR_DB: withQdrant ? "qdrant" : "lancedb",
  POSTGRES_IMAGE: postgresql,
  REDIS_IMAGE: redis,
  QDRANT_IMAGE: qdrant,
});
const standalone = `carrel-test-standalone-${process.pid}`;
const start = [...(withQdrant ? ["qdrant"] : []), "gateway"];
const up = (...args: string[]): Promise<Buffer> => stack.compose("up", "-d", "--no-build", ...args);

try {
  await stack.compose("down", "-v", "--remove-orphans");
  await up(...start);
  const api = new Api(`http://127.0.0.1:${port}`);
  await ready(api.url);
  say(`stack is ready${withQdrant ? "" : "; no image of Qdrant, LanceDB stands in"}`);
  await checkPrivileges(stack);
  say("each container has its own secrets, limits and rotated logs, and the gateway no PostgreSQL");
  const { slug } = await api.makeWorkspace("Pumps");
  await addPump(api, slug);
  await askAboutPump(api, slug);
  say("uploaded, asked, got an answer with its source");
  stack.set({ CARREL_PORT: `${port + 1}-${port + 3}` });
  await up("--scale", "chat=3", "--scale", "gateway=3", "gateway");
  const gateways = [1, 2, 3].map((n) => `http://127.0.0.1:${port + n}`);
  for (const service of ["chat", "gateway"]) await stack.healthy(service, 3);
  for (const url of gateways) await ready(url);
  for (const url of gateways) await askAboutPump(new Api(url), slug);
  say("three chat replicas and three gateways answer");

  stack.set({ CARREL_TAG: "current" });
  const upgrade = new Load(gateways, slug, false);
  await upgrade.until(3);
  await stack.compose("run", "--rm", "--no-deps", "-T", "migrate");
  say(`migrated the database: ${upgrade.summary()}`);
  for (const service of processes) {
    const scale = ["chat", "gateway"].includes(service) ? ["--scale", `${service}=3`] : [];
    await up("--no-deps", "--force-recreate", ...scale, service);
    await stack.healthy(service, scale.length > 0 ? 3 : 1);
    await upgrade.more(1);
    say(`replaced ${service}: ${upgrade.summary()}`);
  }
  await upgrade.stop();
  say(`upgraded under load: ${upgrade.summary()}`);

  stack.set({ CARREL_PORT: String(port) });
  await up(...start);
  for (const service of ["chat", "gateway"]) await stack.healthy(service);
  await answered(api, slug, "chat and gateway were scaled back to one");
  say("one chat replica and one gateway answer");
  await refuseAnotherSecret(stack);
  say("containers with another secret refuse to start");
  await rotateSecrets(stack, api, slug, say);
  say(`read ${await readEveryFormat(api)} files of all formats`);
  const [chat] = await stack.containers("chat");
  await runAgent(api, slug, chat!, `${stack.project}_outside`);
  say("an agent ran code, drew a chart, made files and had statements checked");

  for (const service of ["chat", "ingest", "gateway", "workspace", "auth", "redis", "postgres"]) {
    const load = new Load([api.url], slug, ["ingest", "gateway"].includes(service));
    await load.until(3);
    const [id] = await stack.containers(service);
    await runDocker("kill", id!);
    await runDocker("start", id!);
    await stack.healthy(service);
    await load.stop();
    // A client may get 503, or an answer that says it was cut short.
    const faults = load.failures.filter((failure) => failure.includes(": 500 "));
    if (faults.length > 0) throw new Error(`while ${service} was killed: ${faults.join("; ")}`);
    await answered(api, slug, `${service} was killed`);
    await load.checkUploads(api);
    say(`killed ${service} at work: ${load.summary()}`);
  }

  await restoreBackup(api, slug);
  say("restored a backup into empty volumes");
  await stack.compose("down", "-v", "--remove-orphans");
  await runStandalone();
  say("standalone: the same job, again with another secret, and from a backup in an empty volume");
  // Last, so that it doesn't keep the other steps from running.
  if (upgrade.failures.length > 0)
    throw new Error(`failed during the upgrade: ${upgrade.failures.join("; ")}`);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  const logs = await stack.compose("logs", "--tail=15").catch(() => Buffer.from(""));
  process.stderr.write(logs.toString());
} finally {
  if (!values.keep) await stack.compose("down", "-v", "--remove-orphans").catch(() => undefined);
  await runDocker("rm", "-f", standalone).catch(() => undefined);
  await runDocker("volume", "rm", "-f", standalone).catch(() => undefined);
}
if (process.exitCode !== 1) say("everything passed");

/** Waits for the right answer. */
function answered(api: Api, slug: string, after: string): Promise<unknown> {
  return waitFor(
    () =>
      askAboutPump(api, slug).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 120_000, what: `an answer after ${after}` },
  );
}

/** The steps of deploy/compose/README.md, as on another machine. */
async function restoreBackup(api: Api, slug: string): Promise<void> {
  const call = (input: Buffer | undefined, ...args: string[]): Promise<Buffer> =>
    stack.composeWith(input, "run", "--rm", "-T", ...args);
  const backup = await call(undefined, "backup");
  const key = await call(undefined, "backup", "backup", "key");
  await stack.compose("down", "-v");
  await call(key, "secrets", "/app/create-secrets.mjs", "/secrets", "--key");
  await call(backup, "backup", "restore", "-");
  await up(...start);
  await ready(api.url);
  await answered(api, slug, "the backup was restored");
}

async function runStandalone(): Promise<void> {
  const own = await freePort();
  const url = `http://127.0.0.1:${own}`;
  const create = async (): Promise<void> => {
    await runDocker(
      ...["run", "-d", "--name", standalone, "--init", "--read-only", "--tmpfs", "/tmp"],
      ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
      ...["-p", `127.0.0.1:${own}:3001`, "-v", `${standalone}:/data`],
      "carrel-test-standalone:current",
    );
    await ready(url);
  };
  await create();
  const api = new Api(url);
  const { slug } = await api.makeWorkspace("Pumps");
  await addPump(api, slug);
  await askAboutPump(api, slug);
  await readEveryFormat(api);
  await runAgent(api, slug, standalone, "bridge");
  const backup = await runDocker(
    "exec",
    standalone,
    "node",
    "dist/backup.js",
    "backup",
    "--to",
    "-",
  );
  const remove = async (): Promise<void> => {
    await runDocker("stop", "-t", "25", standalone);
    await runDocker("rm", standalone);
  };
  await remove();
  const printed = await runDocker(
    ...["run", "--rm", "-v", `${standalone}:/data`, "carrel-test-standalone:current"],
    ...["dist/backup.js", "rotate-secret"],
  );
  if (!printed.includes("Nothing that the previous secret sealed is left"))
    throw new Error(printed.toString());
  await create();
  await askAboutPump(api, slug);
  await remove();
  await runDocker("volume", "rm", standalone);
  await runDockerWith(
    backup,
    ...["run", "--rm", "-i", "-v", `${standalone}:/data`, "carrel-test-standalone:current"],
    ...["dist/backup.js", "restore", "-"],
  );
  await create();
  await answered(api, slug, "the backup was restored");
}
