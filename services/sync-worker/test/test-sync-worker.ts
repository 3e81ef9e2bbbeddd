import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  instancePrincipal,
  runEndedChannel,
  settingsChanged,
  type Args,
  type DomainEvent,
  type Operation,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { eventMessage } from "@carrel/messaging";
import { createSharedInfrastructure, startService } from "@carrel/runtime";
import { startTestRedis, testDatabase } from "@carrel/testing";
import type { z } from "zod";
import { syncWorkerService } from "../src/index.ts";
import { syncWorkerShape } from "../src/sync-worker.config.ts";
import { World } from "./doubles.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/** A scope of the instance's owner. */
export const inWorkspace = (id: number): Scope => ({
  principal: instancePrincipal,
  workspace: { id, slug: `w${id}` },
});

/**
 * The sync worker on real PostgreSQL and Redis, with doubles of the services that it calls. With
 * `elsewhere`, it doesn't run in this process: the test starts replicas.
 */
export async function startTestSyncWorker(
  options: { elsewhere?: boolean; reconcileMs?: number; world?: World } = {},
) {
  const [database, redis, home] = await Promise.all([
    testDatabase(),
    startTestRedis(),
    mkdtemp(path.join(tmpdir(), "carrel-sync-worker-")),
  ]);
  const environment = {
    CARREL_HOME: home,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_SECRET: "a secret for tests that is long enough",
    CARREL_LOG_LEVEL: process.env.TEST_LOG ?? "silent",
    CARREL_SYNC_POLL_SECONDS: "0.2",
    // Only killed replicas lose theirs, however busy the machine is.
    CARREL_SYNC_LEASE_SECONDS: options.elsewhere ? "3" : "30",
  };
  const config = loadConfig({ ...instanceShape, ...syncWorkerShape }, environment);
  const shared = createSharedInfrastructure(config);
  const start = {
    shared,
    healthPort: false,
    ...(options.reconcileMs !== undefined && { reconcileMs: options.reconcileMs }),
  } as const;
  const world = options.world ?? new World();
  const services = await Promise.all(
    world.services.map((service) => startService(service, config, start)),
  );
  if (!options.elsewhere) services.push(await startService(syncWorkerService, config, start));
  const source = createDataSource(
    database.url,
    { schema: "sync_worker", entities: [], migrations: [] },
    { poolSize: 1 },
  );
  await source.initialize();
  const replicas = new Set<ChildProcess>();
  const { broadcast, client } = shared.messaging;

  return {
    world,
    sql: <T>(query: string, values: unknown[] = []): Promise<T[]> =>
      source.query<T[]>(query, values),
    request: <Op extends Operation>(
      operation: Op,
      input: Args<Op>,
      scope = inWorkspace(7),
    ): Promise<Out<Op>> => client.request(operation, input, { scope }),
    async turn(isOn: boolean): Promise<void> {
      world.isOn = isOn;
      await broadcast.publish(`event:${settingsChanged.name}`, { keys: [] });
    },
    /** Sends an event as the service that it belongs to does. */
    tell: <P extends z.ZodType>(event: DomainEvent<P>, payload: z.input<P>): Promise<void> =>
      shared.messaging.sender.send(eventMessage(event, payload)),
    /** Says that a run of connectors has ended. */
    endRun: (runId: string): Promise<void> => broadcast.publish(runEndedChannel, { runId }),
    /** Makes everything due now. */
    hurry: (): Promise<unknown[]> =>
      source.query("UPDATE sync_worker.watch SET next_sync_at = now()"),
    async startReplica(): Promise<{ kill(): Promise<void> }> {
      const child = spawn(
        process.execPath,
        [
          "--disable-warning=ExperimentalWarning",
          "--import",
          path.join(root, "tools/swc-hook.mjs"),
          "--conditions=@carrel/source",
          path.join(import.meta.dirname, "replica.ts"),
        ],
        {
          cwd: root,
          env: { PATH: process.env.PATH, ...environment },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      replicas.add(child);
      const ended = new Promise<void>((resolve) => {
        child.once("exit", () => {
          replicas.delete(child);
          resolve();
        });
      });
      await new Promise<void>((resolve, reject) => {
        child.stdout.once("data", () => resolve());
        void ended.then(() => reject(new Error(`the replica ended with ${child.exitCode}`)));
      });
      return {
        kill: () => {
          child.kill("SIGKILL");
          return ended;
        },
      };
    },
    async stop(): Promise<void> {
      for (const child of replicas) child.kill("SIGKILL");
      for (const service of services.toReversed()) await service.stop();
      await source.destroy();
      await shared.close();
      await Promise.all([
        redis.stop(),
        database.drop(),
        rm(home, { recursive: true, force: true }),
      ]);
    },
  };
}
export type TestSyncWorker = Awaited<ReturnType<typeof startTestSyncWorker>>;
