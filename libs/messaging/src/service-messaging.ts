import type { DomainEvent, Job, Operation } from "@carrel/contracts";
import { metrics, type Logger } from "@carrel/observability";
import type { DiscoveryService, MetadataScanner } from "@nestjs/core";
import type { DataSource } from "typeorm";
import type { Contracts } from "./boot-check.ts";
import {
  EventConsumer,
  ensureEventGroups,
  trimEvents,
  type EventHandler,
} from "./event-consumer.ts";
import {
  consumeMetadata,
  failedMetadata,
  handleMetadata,
  processMetadata,
  type JobContext,
  type ProcessMetadata,
  type RequestHandler,
} from "./handle.ts";
import { JobRunner, type JobProcessor } from "./job-runner.ts";
import { OutboxRelay } from "./outbox-relay.ts";
import { Reconciler } from "./reconcilers.ts";
import { readEpoch } from "./redis-pulse.ts";
import type { SharedMessaging } from "./shared-messaging.ts";

/** A method of a Nest provider or controller. */
interface FoundMethod {
  method: object;
  call(...values: unknown[]): unknown;
}

/** All methods of these instances, some of which are marked by the decorators of handle.ts. */
function methodsOf(instances: Iterable<unknown>, scanner: MetadataScanner): FoundMethod[] {
  const found: FoundMethod[] = [];
  for (const instance of new Set(instances)) {
    if (typeof instance !== "object" || instance === null) continue;
    const prototype = Object.getPrototypeOf(instance) as object | null;
    for (const name of prototype ? scanner.getAllMethodNames(prototype) : []) {
      const method = (instance as Record<string, unknown>)[name];
      if (typeof method === "function")
        found.push({ method, call: method.bind(instance) as FoundMethod["call"] });
    }
  }
  return found;
}

/** One entry per marked method, so that duplicates show; likewise below. */
const findHandlers = (methods: readonly FoundMethod[]): RequestHandler[] =>
  methods.flatMap(({ method, call }) => {
    const operation = Reflect.getMetadata(handleMetadata, method) as Operation | undefined;
    return operation ? [{ operation, run: call }] : [];
  });

function findProcessors(methods: readonly FoundMethod[]): JobProcessor[] {
  const ends = new Map(
    methods.flatMap(({ method, call }) =>
      ((Reflect.getMetadata(failedMetadata, method) as Job[] | undefined) ?? []).map(
        (job) => [job, async (payload: unknown) => void (await call(payload))] as const,
      ),
    ),
  );
  return methods.flatMap(({ method, call }) => {
    const found = Reflect.getMetadata(processMetadata, method) as ProcessMetadata | undefined;
    if (!found) return [];
    const run = async (payload: unknown, job: JobContext): Promise<void> =>
      void (await call(payload, job));
    return [{ ...found, run, failed: ends.get(found.job) }];
  });
}

const findConsumers = (methods: readonly FoundMethod[]): EventHandler[] =>
  methods.flatMap(({ method, call }) => {
    const event = Reflect.getMetadata(consumeMetadata, method) as DomainEvent | undefined;
    return event ? [{ event, run: async (payload: unknown) => void (await call(payload)) }] : [];
  });

export interface ServiceMessagingOptions {
  service: string;
  contracts: Contracts;
  shared: SharedMessaging;
  logger: Logger;
  /** Aborts when the process begins to stop. */
  stopping?: AbortSignal;
  /** Omitted by a service without PostgreSQL, which then has no outbox. */
  database?: { url: () => string; schema: string; dataSource: DataSource };
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
  private readonly asked = new Map<Reconciler, Promise<void>>();
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
      ...this.asked.values(),
    ]);
  }

  /** Sends everything the reconcilers report as due; existing jobs are left alone. */
  reconcile(): Promise<void> {
    this.reconciling ??= this.reconcileNow().finally(() => {
      this.reconciling = null;
    });
    return this.reconciling;
  }

  /** Skips a reconciler that is already being asked. */
  private reconcileOnly(reconciler: Reconciler): void {
    if (this.reconciling || this.asked.has(reconciler)) return;
    const asking = this.reconcileNow([reconciler]).finally(() => this.asked.delete(reconciler));
    this.asked.set(reconciler, asking);
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
