import { join } from "node:path";
import {
  deriveKey,
  instanceSecret,
  secretFingerprint,
  type InstanceConfig,
  type Secret,
} from "@carrel/config";
import { AnotherSecretError, SecretBox } from "@carrel/database";
import {
  createSharedMessaging,
  noteSecret,
  readSecretNote,
  type SharedMessaging,
} from "@carrel/messaging";
import { createLogger, exportTraces, type Logger } from "@carrel/observability";

/**
 * Shared by the services of one process; standalone creates one and passes it to every
 * `startService`.
 */
export interface SharedInfrastructure {
  config: InstanceConfig;
  secret: Secret;
  secretBox: SecretBox;
  messaging: SharedMessaging;
  /** Logs JSON to stdout, or to `<home>/logs` if `logFolder` is set. */
  logger(service: string): Logger;
  /**
   * Tells processes without PostgreSQL which instance owns this Redis, once PostgreSQL has
   * confirmed it.
   */
  noteSecret(): void;
  /** Called by those processes. Throws AnotherSecretError. */
  refuseAnotherSecret(): Promise<void>;
  close(): Promise<void>;
}

export function createSharedInfrastructure(
  config: InstanceConfig,
  options: {
    logToFolder?: boolean;
    /** false for tests: services of one process talk over Redis. Default true. */
    inProcess?: boolean;
  } = {},
): SharedInfrastructure {
  const secret = instanceSecret(config);
  const fingerprint = secretFingerprint(secret);
  const stopTraces = exportTraces(config, deriveKey(secret, "traces"));
  const logger = (service: string): Logger =>
    createLogger(
      service,
      config.CARREL_LOG_LEVEL,
      options.logToFolder ? { folder: join(config.CARREL_HOME, "logs") } : {},
    );
  const messaging = createSharedMessaging({
    redisUrl: config.REDIS_URL,
    key: deriveKey(secret, "messages"),
    logger: logger("messaging"),
    inProcess: options.inProcess,
  });
  return {
    config,
    secret,
    secretBox: new SecretBox(deriveKey(secret, "columns")),
    messaging,
    logger,
    noteSecret: () => {
      // Waits while Redis can't be reached.
      noteSecret(messaging.connections, fingerprint).catch(() => undefined);
    },
    refuseAnotherSecret: async () => {
      const note = await readSecretNote(messaging.connections);
      if (note !== null && note !== fingerprint) throw new AnotherSecretError();
    },
    close: async () => {
      await messaging.close();
      await stopTraces();
    },
  };
}
