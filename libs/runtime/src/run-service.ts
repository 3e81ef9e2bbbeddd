import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import type { ServiceDefinition } from "./service-definition.ts";
import { startService } from "./start-service.ts";
import { trimWhenIdle } from "./trim-when-idle.ts";

/**
 * The main.ts of a service: reads the environment, starts, and drains and exits on SIGTERM or
 * SIGINT. A second signal exits at once.
 */
export async function runService(definition: ServiceDefinition): Promise<void> {
  try {
    const config: InstanceConfig = loadConfig({ ...instanceShape, ...definition.shape });
    const running = await startService(definition, config);
    trimWhenIdle();
    let signals = 0;
    const onSignal = (): void => {
      signals += 1;
      if (signals > 1) process.exit(1);
      running.stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    };
    process.on("SIGTERM", onSignal);
    process.on("SIGINT", onSignal);
  } catch (error) {
    // A ConfigError has already printed its faults.
    if (!(error instanceof Error) || error.name !== "ConfigError")
      process.stderr.write(
        `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
      );
    process.exit(1);
  }
}
