import {
  instanceShape,
  loadConfig,
  sharedSecret,
  type InstanceConfig,
  type ProcessConfig,
} from "@carrel/config";
import { applyNetworkSettings, isUntrusted } from "@carrel/egress";
import { createLogger } from "@carrel/observability";
import { endOnSignal } from "./end-on-signal.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { startService, type ServiceDefinition } from "./start-service.ts";
import { trimWhenIdle } from "./trim-when-idle.ts";

/**
 * The main.ts of a service: reads the environment, starts, and drains and exits on SIGTERM or
 * SIGINT, within `endMs`. With the argument `migrate` it only prepares the service's database and
 * exits, for the step before an upgrade (deploy/helm).
 */
export const runService = (definition: ServiceDefinition): Promise<void> =>
  runProcess(readConfig(definition), async (config) => {
    sharedSecret(config);
    if (process.argv[2] === "migrate") {
      const logger = createLogger(definition.name, config.CARREL_LOG_LEVEL);
      applyNetworkSettings(config);
      const { database } = definition;
      if (database) await prepareDatabase({ database, config, logger });
      logger.info("database is up to date");
      return null;
    }
    return startService(definition, config);
  });

const readConfig = (definition: ServiceDefinition) => (): InstanceConfig =>
  loadConfig({ ...instanceShape, ...definition.shape });

/**
 * How long a process may take to end: what CARREL_DRAIN_SECONDS allows, and a little less than the
 * 20 s that whatever stops it waits longer; without it, 14 s.
 */
const endMs = ({ CARREL_DRAIN_SECONDS: drain, CARREL_STOP_DELAY_SECONDS: delay }: ProcessConfig) =>
  delay * 1_000 + (drain === undefined ? 14_000 : drain * 1_000 + 19_000);

/**
 * Runs one of several processes of an instance until a signal, or until its work is done if it
 * starts nothing. Exits with 1 and the reason if it can't start.
 */
export async function runProcess<Config extends ProcessConfig>(
  read: () => Config,
  start: (config: Config) => Promise<{ stop(): Promise<void> } | null>,
): Promise<void> {
  try {
    const config = read();
    const running = await start(config);
    if (running === null) return;
    trimWhenIdle();
    endOnSignal(() => running.stop(), endMs(config));
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** Errors that say what to do, so no stack is needed. */
const plain = new Set([
  "AnotherSecretError",
  "DatabaseLoginError",
  "UnfinishedRestoreError",
  "VectorStoreError",
]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // ConfigError has already printed its faults.
  if (error.name === "ConfigError") return "";
  return plainReason(error) ?? error.stack ?? error.message;
}

/** What an operator can do about an error that kept a process from starting; null for any other. */
export function plainReason(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (isUntrusted(error)) return untrustedReason(error);
  return plain.has(error.name) ? error.message : null;
}

const untrustedReason = ({ message, code }: NodeJS.ErrnoException): string =>
  `The certificate of a server isn't trusted: ${message} (${code}).\nWhat to do: if a private authority issued it, set CARREL_CA_FILE to a PEM file with that authority's certificate, and use the host name that the certificate has, for instance in DATABASE_URL.`;
