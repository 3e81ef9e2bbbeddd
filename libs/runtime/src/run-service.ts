import { instanceShape, loadConfig, sharedSecret, type InstanceConfig } from "@carrel/config";
import { createLogger } from "@carrel/observability";
import { endOnSignal } from "./end-on-signal.ts";
import { prepareDatabase } from "./prepare-database.ts";
import { startService, type ServiceDefinition } from "./start-service.ts";
import { trimWhenIdle } from "./trim-when-idle.ts";

/**
 * The main.ts of a service: reads the environment, starts, and drains and exits on SIGTERM or
 * SIGINT, within 15 s. With the argument `migrate` it only prepares the service's database and
 * exits, for the step before an upgrade (deploy/helm).
 */
export const runService = (definition: ServiceDefinition): Promise<void> =>
  runProcess(async () => {
    const config: InstanceConfig = loadConfig({ ...instanceShape, ...definition.shape });
    const secret = sharedSecret(config);
    if (process.argv[2] === "migrate") {
      const logger = createLogger(definition.name, config.CARREL_LOG_LEVEL);
      const { database } = definition;
      if (database) await prepareDatabase({ database, config, secret, logger });
      logger.info("database is up to date");
      return null;
    }
    return startService(definition, config);
  });

/**
 * Runs one of several processes of an instance until a signal, or until its work is done if it
 * starts nothing. Exits with 1 and the reason if it can't start.
 */
export async function runProcess(
  start: () => Promise<{ stop(): Promise<void> } | null>,
): Promise<void> {
  try {
    const running = await start();
    if (running === null) return;
    trimWhenIdle();
    endOnSignal(() => running.stop());
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    process.exit(1);
  }
}

/** Errors that say what to do, so no stack is needed. */
const plain = new Set(["AnotherSecretError", "UnfinishedRestoreError"]);

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // ConfigError has already printed its faults.
  if (error.name === "ConfigError") return "";
  return plain.has(error.name) ? error.message : (error.stack ?? error.message);
}
