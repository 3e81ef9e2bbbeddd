import type { DiscoveryService, MetadataScanner } from "@nestjs/core";
import type { DataSource } from "typeorm";
import { metrics, type Logger } from "@carrel/observability";
import type { Contracts } from "./boot-check.ts";
import {
  ensureEventGroups,
  EventConsumer,
  trimEvents,
  type EventHandler,
} from "./event-consumer.ts";
import { findConsumers, findHandlers, findProcessors, methodsOf } from "./find-handlers.ts";
import type { RequestHandler } from "./handle.ts";
import { JobRunner, type JobProcessor } from "./job-runner.ts";
import { OutboxRelay } from "./outbox-relay.ts";
import { readEpoch } from "./redis-pulse.ts";
import { Reconciler } from "./reconcilers.ts";
import type { SharedMessaging } from "./shared-messaging.ts";

export interface ServiceMessagingOptions {
  service: string;
  contracts: Contracts;
  shared: SharedMessaging;
  logger: Logger;
  /** Aborts when the process begins to stop. */
  stopping?: AbortSignal;
  /** Omitted by a service without PostgreSQL, which then has no outbox. */
  database?: { url: string; schema: string; dataSource: DataSource };
  /** Default 60,000 ms. */
  reconcileMs?: number;
  /** How often to check whether Redis was flushed or replaced; default 1,000 ms. */
  watchMs?: number;
  jobLockMs?: number;
  eventRetryMs?: number;
}

/** When to run the reconcilers again after a loss, in ms. */
const afterLossMs = [3_000, 10_000];
const reconciled = metrics.counter("carrel_reconciled_total", "Messages sent by reconcilers", [
  "service",
]);

/**
 * The jobs, events, outbox and reconcilers of one service: discovered on its providers, started and
 * stopped together. Its handlers of requests are discovered, too.
 */
export class ServiceMessaging {
  readonly handlers: readonly RequestHandler[];
  readonly processors: readonly JobProcessor[];
  readonly consumers: readonly EventHandler[];
  private readonly reconcilers: readonly Reconciler[];
  private readonly runner: JobRunner;
  private readonly events: EventConsumer;
  private readonly relay: OutboxRelay | null;
  private readonly timers: NodeJS.Timeout[] = [];
  private stopWatching: (() => void) | undefined;
  private epoch: string | null = null;
  private reconciling: Promise<void> | null = null;
  private reconcilingOne: Promise<void> | null = null;
  private watching = false;
  private stopped = false;

  constructor(
    discovery: DiscoveryService,
    scanner: MetadataScanner,
    private readonly options: ServiceMessagingOptions,
  ) {
    const {
      shared: { connections, pulse, sender, notifications },
      logger,
      service,
    } = options;
    const instances = [...discovery.getProviders(), ...discovery.getControllers()].map(
      (wrapper) => wrapper.instance as unknown,
    );
    const methods = methodsOf(instances, scanner);
    this.handlers = findHandlers(methods);
    this.processors = findProcessors(methods);
    this.consumers = findConsumers(methods);
    this.reconcilers = [...new Set(instances)].filter(
      (instance): instance is Reconciler => instance instanceof Reconciler,
    );
    this.runner = new JobRunner({
      processors: this.processors,
      connections,
      logger,
      stopping: options.stopping,
      lockMs: options.jobLockMs,
    });
    this.events = new EventConsumer({
      service,
      handlers: this.consumers,
      connections,
      pulse,
      logger,
      retryMs: options.eventRetryMs,
    });
    this.relay = options.database
      ? new OutboxRelay({
          ...options.database,
          sender,
          notifications,
          jobs: options.contracts.jobs,
          events: options.contracts.events,
          logger,
        })
      : null;
  }

  async start(): Promise<void> {
    const {
      shared: {
        connections: { commands },
        pulse,
      },
      contracts,
      watchMs = 1_000,
    } = this.options;
    await ensureEventGroups(commands, contracts.events);
    this.epoch = await readEpoch(commands);
    this.runner.start();
    await this.events.start();
    this.relay?.start();
    this.timers.push(
      setInterval(() => void this.reconcile(), this.options.reconcileMs ?? 60_000),
      ...this.reconcilers.flatMap((reconciler) =>
        reconciler.everyMs === null
          ? []
          : [setInterval(() => this.reconcileOnly(reconciler), reconciler.everyMs)],
      ),
      setInterval(() => void trimEvents(commands).catch(() => undefined), 60_000),
    );
    this.stopWatching = pulse.onEpoch((epoch) => void this.watch(epoch), watchMs);
    void this.reconcile();
  }

  async stop(timeoutMs: number): Promise<void> {
    this.stopped = true;
    this.stopWatching?.();
    for (const timer of this.timers) clearInterval(timer);
    await Promise.all([
      this.runner.stop(timeoutMs),
      this.events.stop(timeoutMs),
      this.relay?.stop(),
      this.reconciling,
      this.reconcilingOne,
    ]);
  }

  /** Sends everything the reconcilers report as due; existing jobs are left alone. */
  reconcile(): Promise<void> {
    this.reconciling ??= this.reconcileNow().finally(() => {
      this.reconciling = null;
    });
    return this.reconciling;
  }

  /** Unless reconcilers are being asked anyway. */
  private reconcileOnly(reconciler: Reconciler): void {
    if (this.reconciling || this.reconcilingOne) return;
    this.reconcilingOne = this.reconcileNow([reconciler]).finally(() => {
      this.reconcilingOne = null;
    });
  }

  private async reconcileNow(reconcilers = this.reconcilers): Promise<void> {
    for (const reconciler of reconcilers) {
      try {
        const due = await reconciler.due();
        for (const message of due) {
          if (this.stopped) return;
          await this.options.shared.sender.send(message, undefined, { revive: true });
        }
        reconciled.inc({ service: this.options.service }, due.length);
      } catch (error) {
        this.options.logger.warn(
          { err: error, reconciler: reconciler.constructor.name },
          "reconciling failed, will retry",
        );
      }
    }
  }

  /**
   * When Redis has lost its data (flushed, or restarted without its file), everything pending is
   * sent again from PostgreSQL at once.
   */
  private async watch(epoch: string): Promise<void> {
    if (this.watching || epoch === this.epoch) return;
    this.watching = true;
    try {
      this.options.logger.warn(
        { service: this.options.service },
        "Redis lost its data, resending everything that is due",
      );
      await ensureEventGroups(
        this.options.shared.connections.commands,
        this.options.contracts.events,
      );
      await this.reconcile();
      this.epoch = epoch;
      // By then, work that was too recent to count as due (its first message might still have been
      // on its way) is due.
      for (const delay of afterLossMs)
        this.timers.push(setTimeout(() => void this.reconcile(), delay));
    } catch (error) {
      this.options.logger.debug({ err: error }, "couldn't resend what is due");
    } finally {
      this.watching = false;
    }
  }
}
