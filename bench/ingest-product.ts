import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import pg from "pg";
import { guardedFolder } from "../libs/testing/src/guard.ts";
import { startPostgres } from "../tools/postgres.ts";
import { freePort, sleep } from "../tools/process.ts";
import { redisProgram } from "../tools/redis-program.ts";
import { startRedis } from "../tools/redis.ts";
import { services } from "../tools/services.ts";

const root = resolve(import.meta.dirname, "..");

/** The product with separate PostgreSQL and Redis servers, so that their work can be measured. */
export interface Product {
  way: "one" | "separate";
  url: string;
  home: string;
  databaseUrl: string;
  redisUrl: string;
  embedderUrl: string;
  /** Process ids by process name. */
  pids: Map<string, number>;
  stop(): Promise<void>;
}

/** @param environment variables in addition to those of the benchmarks */
export async function startProduct(
  way: Product["way"],
  embedderUrl: string,
  environment: Record<string, string> = {},
): Promise<Product> {
  const home = guardedFolder("carrel-bench-ingest-");
  const postgres = await startPostgres({
    folder: join(home, "postgres"), // where guardedFolder looks for pid files
    settings: { shared_preload_libraries: "pg_stat_statements" },
  });
  const redis = await startRedis({ folder: join(home, "redis"), program: await redisProgram() });
  const children: ChildProcess[] = [];
  const pids = new Map([
    ["postgres", postgres.pid],
    ["redis", redis.pid],
  ]);
  const port = await freePort();
  const run = async (name: string, program: string, options: string[]): Promise<void> => {
    const healthPort = await freePort();
    const child = spawn(program, options, {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        CARREL_HOME: home,
        CARREL_SECRET: "bench-ingest-".repeat(4),
        DATABASE_URL: postgres.url,
        REDIS_URL: redis.url,
        CARREL_PORT: String(port),
        CARREL_HEALTH_PORT: String(healthPort),
        CARREL_LOG_LEVEL: "warn",
        CARREL_MODEL_HUB: "off",
        NODE_OPTIONS: process.env.CARREL_NODE_OPTIONS ?? "", // set by `./carrel bench profile`
        CARREL_SETTING_EmbeddingEngine: "generic-openai",
        CARREL_SETTING_EmbeddingBasePath: `${embedderUrl}/v1`,
        CARREL_SETTING_EmbeddingModelPref: "fake-embedding",
        ...environment,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    children.push(child);
    pids.set(name, child.pid!);
    const ready = way === "one" ? `${port}/api/ping` : `${healthPort}/readyz`;
    await untilReady(child, `http://127.0.0.1:${ready}`);
  };
  const product: Product = {
    way,
    url: `http://127.0.0.1:${port}`,
    home,
    databaseUrl: postgres.url,
    redisUrl: redis.url,
    embedderUrl,
    pids,
    async stop() {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        const ended = once(child, "exit");
        child.kill("SIGTERM");
        await ended;
      }
      await Promise.all([postgres.stop(), redis.stop()]);
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    const service = (name: string) =>
      run(name, process.execPath, ["--max-semi-space-size=8", join(root, `dist/${name}.js`)]);
    if (way === "one") await run("carrel", join(root, "carrel"), ["start"]);
    else {
      await Promise.all(services.map((name) => service(name)));
      await service("gateway");
    }
    await createStatistics(postgres.url);
  } catch (error) {
    await product.stop();
    throw error;
  }
  return product;
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`a process ended with ${child.exitCode}`);
    const reply = await fetch(url).catch(() => null);
    if (reply?.ok) return;
    await sleep(50);
  }
}

async function createStatistics(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  } finally {
    await client.end();
  }
}
