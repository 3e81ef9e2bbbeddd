import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { instanceShape, loadConfig } from "@carrel/config";
import {
  CarrelError,
  fetchLink,
  instancePrincipal,
  type Args,
  type DomainEvent,
  type Operation,
  type Out,
  type Scope,
} from "@carrel/contracts";
import { createDataSource } from "@carrel/database";
import { eventMessage } from "@carrel/messaging";
import { createSharedInfrastructure, startService, type ServiceDefinition } from "@carrel/runtime";
import { createBlobStore } from "@carrel/storage";
import { startTestRedis, testDatabase } from "@carrel/testing";
import type { z } from "zod";
import { connectorsShape } from "../src/connectors.config.ts";
import { connectorsService } from "../src/index.ts";
import { ingestDouble, type BeforeAccess, type IngestRecord } from "./ingest-double.ts";
import { peopleDouble, type Person } from "./people-double.ts";

/** The instance's owner, in a workspace. */
const ownScope: Scope = {
  principal: instancePrincipal,
  workspace: { id: 7, slug: "field-notes" },
};

const root = path.resolve(import.meta.dirname, "../../..");

/**
 * The real connectors service on real PostgreSQL and Redis, with a website and a stubbed ingest.
 * With `elsewhere`, no connectors service runs in this process: the test starts replicas.
 */
export async function startTestConnectors(
  site: RequestListener,
  options: {
    elsewhere?: boolean;
    reconcileMs?: number;
    folders?: readonly string[];
    /** Of services that stand in for the real ones, besides ingest and auth. */
    doubles?: readonly ServiceDefinition[];
  } = {},
) {
  const [database, redis, home] = await Promise.all([
    testDatabase(),
    startTestRedis(),
    mkdtemp(path.join(tmpdir(), "carrel-connectors-")),
  ]);
  const server = createServer(site);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const environment = {
    CARREL_HOME: home,
    DATABASE_URL: database.url,
    REDIS_URL: redis.url,
    CARREL_SECRET: "a secret for tests that is long enough",
    CARREL_LOG_LEVEL: process.env.TEST_LOG ?? "silent",
    CARREL_LINK_ALLOW: "127.0.0.1",
    CARREL_LINK_MAX_BYTES: "100000",
    CARREL_UMASK: "002",
    CARREL_SOURCE_FOLDERS: options.folders?.join(","),
  };
  const config = loadConfig({ ...instanceShape, ...connectorsShape }, environment);
  const shared = createSharedInfrastructure(config);
  const start = {
    shared,
    healthPort: false,
    ...(options.reconcileMs !== undefined && { reconcileMs: options.reconcileMs }),
  } as const;
  const record: IngestRecord = {
    registrations: [],
    revised: [],
    purged: [],
    gone: new Set(),
    documents: new Set(),
    contents: new Map(),
  };
  const refusal: { fault: CarrelError | null; lost: CarrelError | null } = {
    fault: null,
    lost: null,
  };
  const readers = new Map<string, number[] | null>();
  const beforeAccess: BeforeAccess = { call: null };
  const people: Person[] = [];
  const services = [
    await startService(ingestDouble(record, refusal, readers, beforeAccess), config, start),
    await startService(peopleDouble(people), config, start),
  ];
  for (const double of options.doubles ?? [])
    services.push(await startService(double, config, start));
  if (!options.elsewhere) services.push(await startService(connectorsService, config, start));
  const source = createDataSource(
    database.url,
    { schema: "connectors", entities: [], migrations: [] },
    { poolSize: 1 },
  );
  await source.initialize();
  const replicas = new Set<ChildProcess>();

  return {
    redis,
    databaseUrl: database.url,
    ...record,
    /** Who may see each document besides its importer; null: everyone. */
    readers,
    /** Lets a test delay what is told of readers. */
    beforeAccess,
    /** The instance's users; tests change them. */
    people,
    /** Has ingest refuse documents until it is called with null. */
    refuse: (fault: CarrelError | null): void => {
      refusal.fault = fault;
    },
    /** Has ingest register documents, but answer with this, until it is called with null. */
    loseReplies: (fault: CarrelError | null): void => {
      refusal.lost = fault;
    },
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    blobs: createBlobStore({ kind: "disk", root: path.join(home, "blobs") }),
    sql: <T>(query: string): Promise<T[]> => source.query<T[]>(query),
    /** Requests an operation as the gateway does. */
    request: <Op extends Operation>(
      operation: Op,
      input: Args<Op>,
      scope = ownScope,
    ): Promise<Out<Op>> => shared.messaging.client.request(operation, input, { scope }),
    /** Sends an event as the service that it belongs to does. */
    tell: <P extends z.ZodType>(event: DomainEvent<P>, payload: z.input<P>): Promise<void> =>
      shared.messaging.sender.send(eventMessage(event, payload)),
    /** Calls the listener with the payload of each of these events; returns how to stop. */
    hear: <P extends z.ZodType>(
      event: DomainEvent<P>,
      listener: (payload: z.output<P>) => void,
    ): (() => void) =>
      shared.messaging.broadcast.on(`event:${event.name}`, (payload) =>
        listener(event.payload.parse(payload)),
      ),
    /** Fetches a link as the gateway does. */
    fetch: (
      link: string,
      more: Partial<Args<typeof fetchLink>> = {},
    ): Promise<Out<typeof fetchLink>> =>
      shared.messaging.client.request(
        fetchLink,
        { link, embed: false, ...more },
        { scope: { principal: instancePrincipal, workspace: null } },
      ),
    /** Starts the service in another process; resolves when it is ready. */
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
      server.closeAllConnections();
      server.close();
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
export type TestConnectors = Awaited<ReturnType<typeof startTestConnectors>>;
