import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { CarrelError } from "@carrel/contracts";
import { startTestRedis, testDatabase, type TestRedis } from "@carrel/testing";
import pg from "pg";
import {
  createSharedInfrastructure,
  type SharedInfrastructure,
} from "../src/infrastructure-module.ts";
import { startService } from "../src/start-service.ts";
import { fixtureService } from "./fixture-service.ts";

export interface Replica {
  pid: number;
  child: ChildProcess;
  healthPort: number;
  signal(name: NodeJS.Signals): void;
  ended: Promise<void>;
}

const root = resolve(import.meta.dirname, "../../..");

/**
 * PostgreSQL, Redis, a caller in this process, and replicas of the fixture service in separate
 * processes.
 */
export class FixtureInstance {
  readonly replicas: Replica[] = [];
  private constructor(
    readonly config: InstanceConfig,
    readonly environment: NodeJS.ProcessEnv,
    readonly redis: TestRedis,
    readonly caller: SharedInfrastructure,
    readonly sql: pg.Pool,
    private readonly home: string,
    private readonly drop: () => Promise<void>,
  ) {}

  static async start(
    replicas: number,
    options: { appendonly?: boolean } = {},
  ): Promise<FixtureInstance> {
    const [database, redis] = await Promise.all([testDatabase(), startTestRedis(options)]);
    const home = mkdtempSync(join(tmpdir(), "carrel-fixture-"));
    const environment = {
      CARREL_HOME: home,
      CARREL_SECRET: "a secret for tests only, 32 characters",
      DATABASE_URL: database.url,
      REDIS_URL: redis.url,
      CARREL_LOG_LEVEL: process.env.CARREL_LOG_LEVEL ?? "silent",
    };
    const config = loadConfig(instanceShape, environment);
    // Migrates once here, so that all replicas start from the same schema.
    const first = await startService(fixtureService, config, { healthPort: false });
    await first.stop();
    const sql = new pg.Pool({
      connectionString: database.url,
      max: 3,
      options: "-c search_path=fixture",
    });
    sql.on("error", () => undefined);
    const instance = new FixtureInstance(
      config,
      environment,
      redis,
      createSharedInfrastructure(config),
      sql,
      home,
      () => database.drop(),
    );
    await Promise.all(Array.from({ length: replicas }, () => instance.addReplica()));
    return instance;
  }

  async addReplica(): Promise<Replica> {
    const child = spawn(
      process.execPath,
      [
        "--import",
        join(root, "tools/swc-hook.mjs"),
        "--conditions=@carrel/source",
        join(import.meta.dirname, "fixture-process.ts"),
      ],
      {
        cwd: root,
        env: { PATH: process.env.PATH, ...this.environment, NODE_OPTIONS: "" },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const ended = once(child, "exit").then(() => undefined);
    const healthPort = await new Promise<number>((done, failed) => {
      let text = "";
      child.stdout!.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const ready = /^ready (\d+)$/m.exec(text);
        if (ready) done(Number(ready[1]));
      });
      void ended.then(() => failed(new Error(`the replica ended before it was ready: ${text}`)));
    });
    if (process.env.CARREL_LOG_LEVEL) child.stdout!.pipe(process.stderr);
    const replica = {
      pid: child.pid!,
      child,
      healthPort,
      signal: (name: NodeJS.Signals) => {
        child.kill(name);
      },
      ended,
    };
    this.replicas.push(replica);
    return replica;
  }

  async count(table: string): Promise<{ rows: number; distinct: number }> {
    const column = table === "run" ? "id" : table === "item" ? "name" : "task_id";
    const {
      rows: [row],
    } = await this.sql.query<{ rows: number; distinct: number }>(
      `SELECT count(*)::int AS rows, count(DISTINCT ${column})::int AS distinct FROM ${table}`,
    );
    return row!;
  }

  async stop(): Promise<void> {
    for (const replica of this.replicas) replica.signal("SIGKILL");
    await Promise.all(this.replicas.map((replica) => replica.ended));
    await this.caller.close();
    await this.sql.end();
    await this.redis.stop();
    await this.drop();
    rmSync(this.home, { recursive: true, force: true });
  }
}

/** "answered", or the kind of the error that a request failed with. */
export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "answered",
    (error: unknown) => (error instanceof CarrelError ? error.kind : String(error)),
  );
