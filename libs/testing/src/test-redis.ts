import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { endProcess } from "../../../tools/process.ts";
import { redisProgram } from "../../../tools/redis-program.ts";
import { startRedis, type RedisServer } from "../../../tools/redis.ts";
import { byContainerOrLocally } from "./docker.ts";
import { guardedFolder } from "./guard.ts";
import type { RedisProcess } from "./redis-process.ts";

export interface TestRedis extends RedisProcess {
  /** Deletes all data and keeps running. */
  flush(): Promise<void>;
  /** Runs one command on a connection of its own. */
  run(command: string, ...values: string[]): Promise<unknown>;
}

let program: ReturnType<typeof redisProgram> | undefined;

async function startLocally(options: { appendonly: boolean }): Promise<RedisProcess> {
  const folder = guardedFolder("carrel-test-redis-");
  const found = await (program ??= redisProgram());
  const start = (port?: number): Promise<RedisServer> =>
    startRedis({ folder, program: found, appendOnly: options.appendonly, port });
  let server = await start();
  return {
    url: server.url,
    get pid() {
      return server.pid;
    },
    kill: () => endProcess(server.pid, "SIGKILL"),
    async restart({ keepData }) {
      await endProcess(server.pid, "SIGKILL");
      if (!keepData)
        for (const name of readdirSync(folder))
          if (name !== "password") rmSync(join(folder, name), { recursive: true, force: true });
      server = await start(server.port);
    },
    async stop() {
      await endProcess(server.pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * A private Redis on a random loopback port, stopped when this process ends if not before. Uses an
 * append-only file by default, so that a restart can keep data.
 */
export async function startTestRedis(options: { appendonly?: boolean } = {}): Promise<TestRedis> {
  const all = { appendonly: options.appendonly ?? true };
  const server = await byContainerOrLocally(
    "Redis",
    async () => (await import("./containers.ts")).startRedisContainer(all),
    () => startLocally(all),
  );
  const run = async (command: string, ...values: string[]): Promise<unknown> => {
    const client = new Redis(server.url, { maxRetriesPerRequest: 0 });
    try {
      return await client.call(command, ...values);
    } finally {
      client.disconnect();
    }
  };
  return Object.assign(server, {
    run,
    flush: async () => {
      await run("FLUSHALL");
    },
  });
}
