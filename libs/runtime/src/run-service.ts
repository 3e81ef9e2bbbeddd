import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { endOnSignal } from "./end-on-signal.ts";
import type { ServiceDefinition } from "./service-definition.ts";
import { startService } from "./start-service.ts";
import { trimWhenIdle } from "./trim-when-idle.ts";

/**
 * The main.ts of a service: reads the environment, starts, and drains and exits on SIGTERM or
 * SIGINT, within 15 s.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  try {
    const config: InstanceConfig = loadConfig({ ...instanceShape, ...definition.shape });
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
