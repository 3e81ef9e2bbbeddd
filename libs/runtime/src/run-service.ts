import { instanceSecret, instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { createLogger } from "@carrel/observability";
import { endOnSignal } from "./end-on-signal.ts";
import { prepareDatabase } from "./prepare-database.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { startService } from "./start-service.ts";
import { trimWhenIdle } from "./trim-when-idle.ts";

/**
 * The main.ts of a service: reads the environment, starts, and drains and exits on SIGTERM or
 * SIGINT, within 15 s. With the argument `migrate` it only prepares the service's database and
 * exits, for the step before an upgrade (deploy/helm).
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  try {
    const config: InstanceConfig = loadConfig({ ...instanceShape, ...definition.shape });
    if (process.argv[2] === "migrate") {
      const logger = createLogger(definition.name, config.CARREL_LOG_LEVEL);
      if (definition.database)
        await prepareDatabase(definition.database, config, instanceSecret(config), logger);
      logger.info("database is up to date");
      return;
    }
    const running = await startService(definition, config);
    trimWhenIdle();
    endOnSignal(() => running.stop());
  } catch (error) {
    // A ConfigError has already printed its faults.
    if (!(error instanceof Error) || error.name !== "ConfigError")
      process.stderr.write(
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    process.exit(1);
  }
}
