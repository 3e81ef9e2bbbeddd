import "reflect-metadata";
import { DiscoveryModule, DiscoveryService, MetadataScanner, NestFactory } from "@nestjs/core";
import { Module } from "@nestjs/common";
import { PATTERN_METADATA } from "@nestjs/microservices/constants.js";
import { events, jobs, operations } from "@carrel/contracts";
import { deriveKey, type InstanceConfig } from "@carrel/config";
import { createDataSource, ensureServiceRole, migrate } from "@carrel/database";
import {
  BootError,
  contractFaults,
  handlerFaults,
  RequestServer,
  ServiceMessaging,
} from "@carrel/messaging";
import { Health, serveHealth, type Logger } from "@carrel/observability";
import type { DataSource } from "typeorm";
import { InfrastructureModule } from "./infrastructure-module.ts";
import { NestLogger } from "./nest-logger.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { createSharedInfrastructure, type SharedInfrastructure } from "./shared-infrastructure.ts";

export interface StartOptions {
  /**
   * Port for /livez, /readyz, /metrics; 0 a free one; false none (standalone serves them from the
   * gateway). Default CARREL_HEALTH_PORT, else 0.
   */
  healthPort?: number | false;
  /** Connections shared with other services of this process; absent: own ones, closed on stop. */
  shared?: SharedInfrastructure;
  /** How long stop() waits for what is at work; default 20,000 ms. */
  drainMs?: number;
  /**
   * For tests: shorter leases than 5 s (requests) and 30 s (jobs), shorter reconciling than a
   * minute.
   */
  leaseMs?: number;
  jobLockMs?: number;
  eventRetryMs?: number;
  reconcileMs?: number;
  watchMs?: number;
}

export interface RunningService {
  name: string;
  health: Health;
  /** Where /livez, /readyz and /metrics are served; null without. */
  healthPort: number | null;
  /**
   * Readiness falls, requests and jobs at work are finished (20 s at most), then everything closes.
   */
  stop(): Promise<void>;
}

interface ServiceStore {
  url: string;
  schema: string;
  dataSource: DataSource;
}

/**
 * Starts one service in this process: database, module, boot checks, then requests, jobs and
 * events, then readiness.
 */
export async function startService(
  definition: ServiceDefinition,
  config: InstanceConfig,
  options: StartOptions = {},
): Promise<RunningService> {
  const contracts = definition.contracts ?? { operations, jobs, events };
  const shared = options.shared ?? createSharedInfrastructure(config);
  const logger = shared.logger(definition.name);
  const undo: (() => Promise<unknown>)[] = options.shared
    ? []
    : [() => within(closeMs, shared.close())];
  const undoAll = async (): Promise<void> => {
    for (const step of undo.toReversed())
      await step().catch((error: unknown) => logger.error({ err: error }, "closing failed"));
  };
  try {
    const { messaging } = shared;
    const store = definition.database
      ? await openStore(definition, config, shared, logger)
      : undefined;
    if (store) undo.push(() => within(closeMs, store.dataSource.destroy()));

    const server = new RequestServer({
      service: definition.name,
      operations: contracts.operations.filter((operation) => operation.service === definition.name),
      connections: messaging.connections,
      signer: messaging.signer,
      logger,
      concurrency: definition.concurrency ?? config.CARREL_CONCURRENCY,
      leaseMs: options.leaseMs,
    });
    class ServiceModule {}
    Module({
      imports: [
        InfrastructureModule.register({
          config,
          logger,
          shared: messaging,
          secretBox: shared.secretBox,
          database: store,
        }),
        DiscoveryModule,
        definition.module,
      ],
    })(ServiceModule);
    const app = await NestFactory.createMicroservice(ServiceModule, {
      strategy: server,
      logger: new NestLogger(logger),
      abortOnError: false,
    });
    undo.push(() => within(moduleMs, app.close()));

    const [discovery, scanner] = [app.get(DiscoveryService), app.get(MetadataScanner)];
    const service = new ServiceMessaging(discovery, scanner, {
      service: definition.name,
      contracts,
      shared: messaging,
      logger,
      database: store,
      reconcileMs: options.reconcileMs,
      watchMs: options.watchMs,
      jobLockMs: options.jobLockMs,
      eventRetryMs: options.eventRetryMs,
    });
    const faults = [
      ...contractFaults(contracts),
      ...handlerFaults(definition.name, contracts, {
        operations: handlerNames(discovery, scanner),
        jobs: service.processors.map(({ job }) => job.name),
        events: service.consumers.map(({ event }) => event.name),
      }),
    ];
    if (faults.length > 0) throw new BootError(faults);

    await app.listen();
    await service.start();
    const health = new Health();
    health.addCheck("redis", () => messaging.connections.ping());
    if (store)
      health.addCheck("postgresql", async () => {
        await store.dataSource.query("select 1");
      });
    const port = options.healthPort ?? config.CARREL_HEALTH_PORT ?? 0;
    const endpoint =
      port === false ? null : await serveHealth(health, { host: config.CARREL_HEALTH_HOST, port });
    health.setReady(true);
    logger.info({ healthPort: endpoint?.port }, "ready");

    let stopping: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      health.setReady(false);
      const patience = options.drainMs ?? 20_000;
      // Without Redis nothing can be acknowledged: what is left is taken over later, and the
      // process still ends.
      await within(
        patience + closeMs,
        Promise.all([server.drain(patience), service.stop(patience)]),
      );
      await undoAll();
      await endpoint?.close();
      logger.info("stopped");
    };
    return {
      name: definition.name,
      health,
      healthPort: endpoint?.port ?? null,
      stop: () => (stopping ??= stop()),
    };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

/**
 * How long a module's own draining may take: chat lets answers run for 5 s and closes them in 5 s
 * more.
 */
const moduleMs = 12_000;
/** How long one thing may take to close; with Redis or PostgreSQL away it would wait for ever. */
const closeMs = 3_000;

/** The work's result, or nothing when it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function openStore(
  definition: ServiceDefinition,
  config: InstanceConfig,
  shared: SharedInfrastructure,
  logger: Logger,
): Promise<ServiceStore> {
  const database = definition.database!;
  const role = await ensureServiceRole(
    config.DATABASE_URL,
    database.schema,
    deriveKey(shared.secret, "database", database.schema).toString("base64url"),
  );
  if (role.refusal) logger.warn({ schema: database.schema }, role.refusal);
  const ran = await migrate(role.url, database);
  if (ran.length > 0) logger.info({ migrations: ran }, "database migrated");
  const dataSource = createDataSource(role.url, database, {
    poolSize: config.CARREL_DATABASE_POOL,
  });
  await dataSource.initialize();
  return { url: role.url, schema: database.schema, dataSource };
}

/**
 * Operations that the controllers handle, one entry for each handler, so that two handlers show.
 */
function handlerNames(discovery: DiscoveryService, scanner: MetadataScanner): string[] {
  return discovery.getControllers().flatMap(({ instance }) => {
    const prototype = instance
      ? (Object.getPrototypeOf(instance) as Record<string, unknown>)
      : null;
    return prototype
      ? scanner
          .getAllMethodNames(prototype)
          .flatMap(
            (name) =>
              (Reflect.getMetadata(PATTERN_METADATA, prototype[name] as object) as
                string[] | undefined) ?? [],
          )
      : [];
  });
}
