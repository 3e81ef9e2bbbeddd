import type { InstanceConfig } from "@carrel/config";
import { events, jobs, operations, type ServiceName } from "@carrel/contracts";
import { createDataSource, type ServiceDatabase } from "@carrel/database";
import {
  BootError,
  RequestServer,
  ServiceMessaging,
  contractFaults,
  handlerFaults,
  type Contracts,
} from "@carrel/messaging";
import { Health, serveHealth, type Logger } from "@carrel/observability";
import {
  Module,
  type DynamicModule,
  type INestApplicationContext,
  type OnModuleInit,
  type Type,
} from "@nestjs/common";
import {
  DiscoveryModule,
  DiscoveryService,
  MetadataScanner,
  ModulesContainer,
  NestFactory,
} from "@nestjs/core";
import {
  callAppShutdownHook,
  callBeforeAppShutdownHook,
  callModuleDestroyHook,
} from "@nestjs/core/hooks/index.js";
import "reflect-metadata";
import type { DataSource } from "typeorm";
import type { z } from "zod";
import {
  InfrastructureModule,
  NestLogger,
  createSharedInfrastructure,
  type SharedInfrastructure,
} from "./infrastructure-module.ts";
import { prepareDatabase, watchLogin } from "./prepare-database.ts";
import { watchStores } from "./watch-stores.ts";

/** One service: its name, module, database and the variables only it reads. */
export interface ServiceDefinition {
  name: ServiceName;
  module: Type | DynamicModule;
  database?: ServiceDatabase;
  /** The service's own variables, read in addition to those of `instanceShape`. */
  shape?: z.ZodRawShape;
  /** Defaults to those of `@carrel/contracts`; tests supply their own. */
  contracts?: Contracts;
  /** Maximum number of concurrent requests per replica; default CARREL_CONCURRENCY. */
  concurrency?: number;
  /** Whether this service reports the age of the last backup. */
  watchesBackups?: boolean;
}

export const defineService = (definition: ServiceDefinition): ServiceDefinition => definition;

export interface StartOptions {
  /**
   * Port for /livez, /readyz and /metrics; 0 picks a free one, false serves none (standalone serves
   * them from the gateway). Default CARREL_HEALTH_PORT, else 0.
   */
  healthPort?: number | false;
  /**
   * Connections shared with other services of this process; if omitted, the service opens its own
   * and closes them on stop.
   */
  shared?: SharedInfrastructure;
  /** How long stop() waits for running work; default 8,000 ms. */
  drainMs?: number;
  /** Aborts when the process begins to stop, if other services are stopped before this one. */
  stopping?: AbortSignal;
  /**
   * For tests: shorter than the default leases of 5 s (requests) and 30 s (jobs) and the reconcile
   * interval of a minute.
   */
  leaseMs?: number;
  jobLockMs?: number;
  eventRetryMs?: number;
  reconcileMs?: number;
  watchMs?: number;
  watchStoresMs?: number;
}

export interface RunningService {
  name: string;
  health: Health;
  /** Port of /livez, /readyz and /metrics; null if they are not served. */
  healthPort: number | null;
  /**
   * Turns readiness off, finishes running requests and jobs (8 s at most), then closes everything.
   */
  stop(): Promise<void>;
}

interface ServiceStore {
  /** The URL to connect with, which changes when the instance secret is rotated. */
  url: () => string;
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
    const health = new Health();
    const store = definition.database
      ? await openStore(definition.database, { config, shared, logger, health })
      : undefined;
    if (store) undo.push(() => within(closeMs, store.dataSource.destroy()));

    const ownStop = new AbortController();
    const stopping = AbortSignal.any([
      ownStop.signal,
      ...(options.stopping ? [options.stopping] : []),
    ]);
    let service!: ServiceMessaging;
    let app: INestApplicationContext | null = null;
    /** Runs before the modules' bootstrap hooks, which therefore find every handler in place. */
    const checkHandlers = (
      discovery: DiscoveryService,
      scanner: MetadataScanner,
      modules: ModulesContainer,
    ): OnModuleInit => ({
      onModuleInit() {
        undo.push(() => within(moduleMs(config), app ? app.close() : closeModules(modules)));
        service = new ServiceMessaging(discovery, scanner, {
          service: definition.name,
          contracts,
          shared: messaging,
          logger,
          stopping,
          database: store,
          reconcileMs: options.reconcileMs,
          watchMs: options.watchMs,
          jobLockMs: options.jobLockMs,
          eventRetryMs: options.eventRetryMs,
        });
        const faults = [
          ...contractFaults(contracts),
          ...handlerFaults(definition.name, contracts, {
            operations: service.handlers.map(({ operation }) => operation.name),
            jobs: service.processors.map(({ job }) => job.name),
            events: service.consumers.map(({ event }) => event.name),
          }),
        ];
        if (faults.length > 0) throw new BootError(faults);
      },
    });
    class ServiceModule {}
    Module({
      imports: [
        InfrastructureModule.register({
          config,
          logger,
          stopping,
          shared: messaging,
          secretBox: shared.secretBox,
          database: store,
        }),
        DiscoveryModule,
        definition.module,
      ],
      providers: [
        {
          provide: "HANDLER_CHECK",
          inject: [DiscoveryService, MetadataScanner, ModulesContainer],
          useFactory: checkHandlers,
        },
      ],
    })(ServiceModule);
    app = await NestFactory.createApplicationContext(ServiceModule, {
      logger: new NestLogger(logger),
      abortOnError: false,
    });

    const server = new RequestServer({
      service: definition.name,
      handlers: service.handlers,
      connections: messaging.connections,
      pulse: messaging.pulse,
      local: messaging.local,
      cipher: messaging.cipher,
      logger,
      concurrency: definition.concurrency ?? config.CARREL_CONCURRENCY,
      leaseMs: options.leaseMs,
    });
    undo.push(() => within(closeMs, server.close()));
    await server.start();
    await service.start();
    health.addCheck("redis", () => messaging.connections.ping());
    if (store)
      health.addCheck("postgresql", async () => {
        await store.dataSource.query("SELECT 1");
      });
    const stopWatching = watchStores({
      service: definition.name,
      config,
      health,
      broadcast: messaging.broadcast,
      logger,
      dataSource: store?.dataSource,
      watchesBackups: definition.watchesBackups ?? false,
      ...(options.watchStoresMs !== undefined && { everyMs: options.watchStoresMs }),
    });
    undo.push(() => Promise.resolve(stopWatching()));
    const port = options.healthPort ?? config.CARREL_HEALTH_PORT ?? 0;
    const endpoint =
      port === false ? null : await serveHealth(health, { host: config.CARREL_HEALTH_HOST, port });
    health.setReady(true);
    logger.info({ healthPort: endpoint?.port }, "ready");

    let stopped: Promise<void> | null = null;
    const stop = async (): Promise<void> => {
      health.setReady(false);
      ownStop.abort();
      const drainMs = options.drainMs ?? 8_000;
      // Without Redis nothing can be acknowledged: what is left is taken over later, and the
      // process still exits.
      await within(drainMs + closeMs, Promise.all([server.drain(drainMs), service.stop(drainMs)]));
      await undoAll();
      await endpoint?.close();
      logger.info("stopped");
    };
    return {
      name: definition.name,
      health,
      healthPort: endpoint?.port ?? null,
      stop: () => (stopped ??= stop()),
    };
  } catch (error) {
    await undoAll();
    throw error;
  }
}

/**
 * How long a module's own shutdown may take: chat lets answers run, for 5 s by default, and closes
 * them within another 5 s.
 */
const moduleMs = ({ CARREL_DRAIN_SECONDS = 5 }: InstanceConfig): number =>
  CARREL_DRAIN_SECONDS * 1_000 + 7_000;
/**
 * How long each connection may take to close; with Redis or PostgreSQL unreachable it would wait
 * forever.
 */
const closeMs = 3_000;

/** Like `close` of an application, which Nest doesn't hand over if a bootstrap hook throws. */
async function closeModules(modules: ModulesContainer): Promise<void> {
  const outermostFirst = [...modules.values()].toSorted((a, b) => a.distance - b.distance);
  for (const hook of [callModuleDestroyHook, callBeforeAppShutdownHook, callAppShutdownHook])
    for (const module of outermostFirst) await hook(module);
}

/** Returns the work's result, or undefined after a timeout. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

async function openStore(
  database: ServiceDatabase,
  {
    config,
    shared,
    logger,
    health,
  }: { config: InstanceConfig; shared: SharedInfrastructure; logger: Logger; health: Health },
): Promise<ServiceStore> {
  const place = { database, config, logger };
  const prepared = await prepareDatabase(place);
  if (prepared.fingerprint !== null) shared.noteSecret(prepared.fingerprint);
  let { url } = prepared;
  const onUrl = (changed: string): void => {
    url = changed;
  };
  const dataSource = createDataSource(url, database, {
    poolSize: config.CARREL_DATABASE_POOL,
    login: watchLogin(place, health, onUrl),
  });
  await dataSource.initialize();
  return { url: () => url, schema: database.schema, dataSource };
}
