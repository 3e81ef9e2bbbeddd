import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { afterAll, describe, expect, it } from "@jest/globals";
import { Redis } from "ioredis";
import pg from "pg";
import { isRunning } from "../../../tools/process.ts";
import { startTestRedis, testDatabase, waitFor, type TestDatabase } from "./index.ts";

const query = async (url: string, statement: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
};

describe("testDatabase", () => {
  const made: TestDatabase[] = [];
  afterAll(() => Promise.all(made.map((database) => database.drop())));

  it("returns a fresh database in one shared server on each call", async () => {
    const [a, b] = await Promise.all([testDatabase(), testDatabase()]);
    made.push(a, b);
    await query(a.url, "CREATE TABLE only_here (id int)");
    expect(await query(b.url, `SELECT to_regclass('only_here') found`)).toEqual([{ found: null }]);
    expect(new URL(a.url).port).toBe(new URL(b.url).port);
    expect(new URL(a.url).hostname).toBe("127.0.0.1");
  });

  it("drops a database that is in use", async () => {
    const database = await testDatabase();
    const client = new pg.Client({ connectionString: database.url });
    client.on("error", () => undefined); // the server ends this connection
    await client.connect();
    await database.drop();
    await expect(query(database.url, "SELECT 1")).rejects.toThrow(/does not exist/);
  });
});

describe("startTestRedis", () => {
  it("keeps data across a crash with its file, and restarts empty without it", async () => {
    const server = await startTestRedis();
    const redis = new Redis(server.url, { lazyConnect: true, retryStrategy: () => 50 });
    redis.on("error", () => undefined);
    await redis.set("a", "1");
    await redis
      .call("WAITAOF", "1", "0", "1000")
      // The file is synced once a second (WAITAOF needs a newer Redis than 7.0).
      .catch(() => new Promise((resolve) => setTimeout(resolve, 1200)));
    const first = server.pid;
    await server.restart({ keepData: true });
    expect(server.pid).not.toBe(first);
    expect(await redis.get("a")).toBe("1");
    await server.restart({ keepData: false });
    expect(await redis.get("a")).toBeNull();
    await server.kill();
    expect(isRunning(server.pid)).toBe(false);
    redis.disconnect();
    await server.stop();
  });

  it("requires its password", async () => {
    const server = await startTestRedis({ appendonly: false });
    const stranger = new Redis(Number(new URL(server.url).port), "127.0.0.1", {
      maxRetriesPerRequest: 0,
    });
    stranger.on("error", () => undefined);
    await expect(stranger.ping()).rejects.toThrow(/NOAUTH/);
    stranger.disconnect();
    await server.stop();
  });
});

it("leaves no server and no folder behind when its process is killed", async () => {
  const program = `
    import { startTestRedis, testDatabase } from '${new URL("./index.ts", import.meta.url).href}';
    const redis = await startTestRedis(); const database = await testDatabase();
    console.log(JSON.stringify({ redis: redis.pid, database: database.url }));
    setInterval(() => {}, 1000);`;
  const { CARREL_TEST_SERVERS: _run, NODE_OPTIONS: _options, ...env } = process.env;
  const root = new URL("../../../", import.meta.url).pathname;
  const child = spawn(
    process.execPath,
    [
      "--import",
      `${root}tools/swc-hook.mjs`,
      "--conditions=@carrel/source",
      "--input-type=module",
      "-e",
      program,
    ],
    { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] },
  );
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const started = JSON.parse(line.toString()) as { redis: number; database: string };
  const [row] = await query(
    started.database,
    `SELECT pg_backend_pid() pid, current_setting('data_directory') folder`,
  );
  expect(isRunning(started.redis)).toBe(true);
  child.kill("SIGKILL");
  await waitFor(() => !isRunning(started.redis) && !existsSync(String(row!.folder)), {
    what: "the servers to go",
  });
  await expect(query(started.database, "SELECT 1")).rejects.toThrow(/ECONNREFUSED/);
});
