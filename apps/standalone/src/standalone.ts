import { authService } from "@carrel/auth";
import { chatService } from "@carrel/chat";
import { instanceShape, loadConfig, type InstanceConfig } from "@carrel/config";
import { connectorsService } from "@carrel/connectors";
import { startGateway } from "@carrel/gateway";
import { ingestService } from "@carrel/ingest";
import {
  createSharedInfrastructure,
  startService,
  trimWhenIdle,
  type ServiceDefinition,
} from "@carrel/runtime";
import { syncWorkerService } from "@carrel/sync-worker";
import { workspaceService } from "@carrel/workspace";

/**
 * Called services come before their callers: stopping in reverse order never leaves a service
 * calling one that has stopped.
 */
const services: ServiceDefinition[] = [
  authService,
  workspaceService,
  ingestService,
  connectorsService,
  syncWorkerService,
  chatService,
];

/**
 * Short unless CARREL_DRAIN_SECONDS says otherwise, because they stop one after the other, and all
 * must finish within seconds.
 */
const gatewayDrainMs = 3_000;
const serviceDrainMs = 5_000;

export interface RunningStandalone {
  url: string;
  port: number;
  /** What to tell whoever started an instance that anyone may take over. */
  warning: Promise<string | null>;
  /**
   * Stops accepting requests at the gateway, then drains and closes the services, callers first.
   */
  stop(): Promise<void>;
}

/**
 * Runs the gateway and all services in this process, using the PostgreSQL and Redis given by the
 * environment. Logs go to `<home>/logs`.
 */
export async function startStandalone(environment: NodeJS.ProcessEnv): Promise<RunningStandalone> {
  const shape: typeof instanceShape = Object.assign(
    {},
    ...services.map((service) => service.shape ?? {}),
    instanceShape,
  );
  const config: InstanceConfig = loadConfig(shape, environment);
  const shared = createSharedInfrastructure(config, { logToFolder: true });
  const undo: (() => Promise<unknown>)[] = [() => shared.close()];
  /**
   * Signalled to all services at once, because the last one may have no time left for its own stop.
   */
  const stopping = new AbortController();
  const stop = async (): Promise<void> => {
    stopping.abort();
    const faults: unknown[] = [];
    for (let step = undo.pop(); step; step = undo.pop())
      await step().catch((error: unknown) => faults.push(error));
    if (faults.length > 0) throw new AggregateError(faults, "couldn't close everything cleanly");
  };
  try {
    // In parallel: each waits for its migrations, and requests between services wait in Redis until
    // the other is up.
    const started = await Promise.allSettled(
      services.map((service) =>
        startService(service, config, {
          shared,
          healthPort: false,
          drainMs: serviceDrainMs,
          stopping: stopping.signal,
        }),
      ),
    );
    const running = started.flatMap((outcome) =>
      outcome.status === "fulfilled" ? [outcome.value] : [],
    );
    for (const service of running) undo.push(() => service.stop());
    for (const outcome of started) if (outcome.status === "rejected") throw outcome.reason;
    const gateway = await startGateway(config, {
      shared,
      drainMs:
        config.CARREL_DRAIN_SECONDS === undefined
          ? gatewayDrainMs
          : config.CARREL_DRAIN_SECONDS * 1_000,
      services: running.map(({ health }) => health),
    });
    const stopTrimming = trimWhenIdle();
    undo.push(() => Promise.resolve(stopTrimming()));
    undo.push(() => gateway.stop());
    const { url, warning } = gateway;
    return { url, port: Number(new URL(url).port || 80), warning, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
