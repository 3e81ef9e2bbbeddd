import { join } from "node:path";
import {
  acceptedKeys,
  acceptedSecrets,
  deriveKey,
  secretFingerprint,
  secretMark,
  type ProcessConfig,
  type Secret,
} from "@carrel/config";
import { AnotherSecretError, SecretBox } from "@carrel/database";
import { applyNetworkSettings } from "@carrel/egress";
import {
  Broadcast,
  Outbox,
  Pipes,
  RequestClient,
  Streams,
  Throttle,
  createSharedMessaging,
  noteSecret,
  readSecretNote,
  type SharedMessaging,
} from "@carrel/messaging";
import { createLogger, exportTraces, type Logger } from "@carrel/observability";
import type { DynamicModule, LoggerService } from "@nestjs/common";
import { DiscoveryModule } from "@nestjs/core";
import { DataSource } from "typeorm";

/** Routes Nest's messages to the service's logger; its startup messages are logged as debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}
  log(message: unknown, ...rest: unknown[]): void {
    this.logger.debug({ from: rest.at(-1) }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error(
      { from: rest.at(-1), err: message instanceof Error ? message : undefined, stack: rest[0] },
      String(message),
    );
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.logger.warn({ from: rest.at(-1) }, String(message));
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ from: rest.at(-1) }, String(message));
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.logger.trace({ from: rest.at(-1) }, String(message));
  }
}

/** Token of the frozen configuration: `@Inject(CONFIG) config: InstanceConfig & …`. */
export const CONFIG = Symbol("CONFIG");
/** Token of the pino logger. */
export const LOGGER = Symbol("LOGGER");
/**
 * Token of an AbortSignal that aborts when the service begins to stop, before it finishes its work.
 */
export const STOPPING = Symbol("STOPPING");

export class InfrastructureModule {
  /**
   * Provides CONFIG, LOGGER, STOPPING (to services), RequestClient, Streams, Pipes, Broadcast,
   * Throttle, SecretBox and, if the service has a database, DataSource and Outbox to every module.
   */
  static register(parts: {
    config: ProcessConfig;
    logger: Logger;
    stopping?: AbortSignal;
    shared: SharedMessaging;
    secretBox: SecretBox;
    database?: { dataSource: DataSource; schema: string };
  }): DynamicModule {
    const { config, logger, stopping, shared, secretBox, database } = parts;
    const providers = [
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: logger },
      ...(stopping ? [{ provide: STOPPING, useValue: stopping }] : []),
      { provide: RequestClient, useValue: shared.client },
      { provide: Streams, useValue: shared.streams },
      { provide: Pipes, useValue: shared.pipes },
      { provide: Broadcast, useValue: shared.broadcast },
      { provide: Throttle, useValue: shared.throttle },
      { provide: SecretBox, useValue: secretBox },
      ...(database
        ? [
            { provide: DataSource, useValue: database.dataSource },
            { provide: Outbox, useValue: new Outbox(database.schema) },
          ]
        : []),
    ];
    return {
      module: InfrastructureModule,
      global: true,
      imports: [DiscoveryModule],
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}

/**
 * Shared by the services of one process; standalone creates one and passes it to every
 * `startService`.
 */
export interface SharedInfrastructure {
  config: ProcessConfig;
  secret: Secret;
  secretBox: SecretBox;
  messaging: SharedMessaging;
  /** Logs JSON to stdout, or to `<home>/logs` if `logFolder` is set. */
  logger(service: string): Logger;
  /**
   * Tells processes without PostgreSQL which secret the instance has, once PostgreSQL has confirmed
   * it.
   */
  noteSecret(fingerprint: string): void;
  /** Called by those processes. Throws AnotherSecretError. */
  refuseAnotherSecret(): Promise<void>;
  close(): Promise<void>;
}

export function createSharedInfrastructure(
  config: ProcessConfig,
  options: {
    logToFolder?: boolean;
    /** false for tests: services of one process talk over Redis. Default true. */
    inProcess?: boolean;
  } = {},
): SharedInfrastructure {
  applyNetworkSettings(config);
  const [secret, ...others] = acceptedSecrets(config);
  const fingerprints = [secret, ...others].map(secretFingerprint);
  const [messageKey, ...otherKeys] = acceptedKeys(config, "messages");
  const stopTraces = exportTraces(config, deriveKey(secret, "traces"));
  const logger = (service: string): Logger =>
    createLogger(
      service,
      config.CARREL_LOG_LEVEL,
      options.logToFolder ? { folder: join(config.CARREL_HOME, "logs") } : {},
    );
  const messaging = createSharedMessaging({
    redisUrl: config.REDIS_URL,
    key: messageKey,
    otherKeys,
    accepts: fingerprints.map(secretMark),
    logger: logger("messaging"),
    inProcess: options.inProcess,
  });
  return {
    config,
    secret,
    secretBox: new SecretBox(...acceptedKeys(config, "columns")),
    messaging,
    logger,
    noteSecret: (fingerprint) => {
      // Waits while Redis can't be reached.
      noteSecret(messaging.connections, fingerprint).catch(() => undefined);
    },
    refuseAnotherSecret: async () => {
      const note = await readSecretNote(messaging.connections);
      if (note !== null && !fingerprints.includes(note)) throw new AnotherSecretError();
    },
    close: async () => {
      await messaging.close();
      await stopTraces();
    },
  };
}
