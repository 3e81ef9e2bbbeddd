import { once } from "node:events";
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { connect, createServer, type AddressInfo } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { instanceSecret, type InstanceConfig } from "@carrel/config";
import { migrate } from "@carrel/database";
import { openBlobStore, putContent } from "@carrel/storage";
import { readRedis } from "@carrel/testing";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import { verifyArchive } from "./archive-reader.ts";
import { restoreBackup } from "./restore-backup.ts";
import { databases } from "./service-databases.ts";
import { never, query, startBackupTest } from "./test-backup.ts";

let test: Awaited<ReturnType<typeof startBackupTest>>;
let target: InstanceConfig;
let redis: Redis;
const ours = [
  "carrel:epoch",
  "carrel:ingest:wait",
  "rpc:sealed:auth",
  "events",
  "events:dead",
  "stream:g",
  "pipe:p",
  "throttle:t",
];
beforeAll(async () => {
  test = await startBackupTest();
  target = await test.instance("target");
  redis = new Redis(test.redis.url);
});
afterAll(async () => {
  redis.disconnect();
  await test.stop();
});

const keys = async (): Promise<string[]> =>
  [...(await readRedis(test.redis.url)).keys()].toSorted();

it("refuses a Redis database with keys of another program, before anything changes", async () => {
  await redis.mset(["shop:cart:7", ...ours].flatMap((key) => [key, "x"]));
  await expect(test.restore(target)).rejects.toThrow('such as "shop:cart:7"');
  expect(await keys()).toEqual(["shop:cart:7", ...ours].toSorted());
  expect(await query(target, "SELECT 1 FROM pg_namespace WHERE nspname = 'auth'")).toEqual([]);
  await redis.del("shop:cart:7");
});

it("notices a backup that changes between its check and the restore, and keeps nothing of it", async () => {
  const changed = join(test.folder, "changed.tar");
  copyFileSync(test.file, changed);
  const manifest = await verifyArchive(changed, never);
  const bytes = readFileSync(changed);
  bytes.write("the", bytes.indexOf("The original of the report."));
  writeFileSync(changed, bytes);
  await expect(
    restoreBackup(target, { file: changed, manifest, replace: false, signal: never }),
  ).rejects.toThrow(`blobs/${test.originalKey} is missing or was changed`);
  expect(await openBlobStore(target).stat(test.originalKey)).toBeNull();
  expect(await query(target, "SELECT 1 FROM pg_tables WHERE schemaname = 'auth'")).toEqual([]);
});

it("leaves what was to be posted by webhooks to the admin", async () => {
  await test.restore(target);
  expect(await keys()).toEqual([]);
  expect(
    await query(target, "SELECT state, fault, next_attempt_at FROM workspace.webhook_delivery"),
  ).toEqual([{ state: "failed", fault: { code: "webhook.restored" }, next_attempt_at: null }]);
  expect(await query(target, "SELECT name FROM chat.outbox")).toEqual([{ name: "event.recorded" }]);
});

it("killed after the database was restored: nothing starts until the same command has done the rest", async () => {
  const keyFile = join(test.source.CARREL_HOME, "secret.key");
  instanceSecret(target);
  const index = join(target.CARREL_HOME, "index");
  mkdirSync(index);
  mkdirSync(join(target.CARREL_HOME, "audit"));
  writeFileSync(join(target.CARREL_HOME, "audit/anchors.jsonl"), "{}\n");
  await putContent(openBlobStore(target), Readable.from(["later"]), 1000);
  await redis.mset(ours.flatMap((key) => [key, "x"]));
  const killed = { ...target };
  let reads = 0;
  Object.defineProperty(killed, "REDIS_URL", {
    get: () => {
      // Read to look for other programs' keys, and to delete ours.
      if ((reads += 1) === 2) throw new Error("killed");
      return target.REDIS_URL;
    },
  });
  await expect(test.restore(killed, { replace: true, keyFile })).rejects.toThrow("killed");
  for (const database of databases)
    await expect(migrate(target.DATABASE_URL, database)).rejects.toThrow(
      "run the same ./carrel restore command again",
    );
  const { suffix, hasKey } = await test.restore(target, { replace: true, keyFile });
  expect(hasKey).toBe(true);
  expect(readFileSync(join(target.CARREL_HOME, "secret.key"), "utf8")).toBe(
    readFileSync(keyFile, "utf8"),
  );
  expect(await keys()).toEqual([]);
  expect(readdirSync(target.CARREL_HOME).toSorted()).toEqual(
    [
      "audit",
      "blobs",
      `blobs-${suffix}`,
      `index-${suffix}`,
      "secret.key",
      `secret.key-${suffix}`,
    ].toSorted(),
  );
  expect(readdirSync(join(target.CARREL_HOME, "audit"))).toEqual([`anchors.jsonl-${suffix}`]);
  expect(await query(target, `SELECT 1 FROM auth_${suffix}."user"`)).toHaveLength(1);
  for (const database of databases)
    expect(await migrate(target.DATABASE_URL, database)).toEqual([]);
});

/** Forwards to a database, but breaks a restore's connection before the reply to its COMMIT. */
async function loseCommitReply(databaseUrl: string): Promise<{ url: string; close(): void }> {
  const url = new URL(databaseUrl);
  const { hostname: host, port } = url;
  const proxy = createServer((client) => {
    const server = connect(Number(port), host);
    let [isRestoring, isCommitting] = [false, false];
    client.on("data", (bytes) => {
      isRestoring ||= bytes.includes("COPY ");
      isCommitting ||= isRestoring && bytes.includes("COMMIT\0");
      server.write(bytes);
    });
    server.on("data", (bytes) => (isCommitting ? client.destroy() : client.write(bytes)));
    client.on("error", () => client.destroy()).on("close", () => server.destroy());
    server.on("error", () => server.destroy()).on("close", () => client.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  url.port = String((proxy.address() as AddressInfo).port);
  return { url: url.href, close: () => proxy.close() };
}

it("keeps the replaced originals when the reply to its commit is lost", async () => {
  const { key } = await putContent(openBlobStore(target), Readable.from(["replaced"]), 1000);
  const database = await loseCommitReply(target.DATABASE_URL);
  await expect(
    test.restore({ ...target, DATABASE_URL: database.url }, { replace: true }),
  ).rejects.toThrow("Connection terminated");
  database.close();
  // Deletes the blob as the sweeper does, since the restored database doesn't name it.
  await openBlobStore(target).delete(key);
  const { suffix } = await test.restore(target);
  expect(readFileSync(join(target.CARREL_HOME, `blobs-${suffix}`, `${key}.blob`), "utf8")).toBe(
    "replaced",
  );
});

it("removes what a restore left that was killed before the database's end", async () => {
  const left = join(
    target.CARREL_HOME,
    `blobs-replaced_20260101000000000.${2 ** 22}@${hostname()}.partial`,
  );
  mkdirSync(left);
  appendFileSync(join(left, "x.blob"), "x");
  await test.restore(target, { replace: true });
  expect(existsSync(left)).toBe(false);
});
