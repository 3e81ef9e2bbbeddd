import { randomUUID } from "node:crypto";
import type { Job } from "@carrel/contracts";
import { context, metrics, nextTraceparent, withSpan, type Logger } from "@carrel/observability";
import { DelayedError, Queue, UnrecoverableError, Worker, type Job as BullJob } from "bullmq";
import { noteTurn } from "./fair-turns.ts";
import type { JobContext } from "./handle.ts";
import { queueName, type JobEnvelope } from "./message-sender.ts";
import type { RedisConnections } from "./redis-connections.ts";
import { toFault, toUnavailable } from "./run-operation.ts";

const depth = metrics.gauge("carrel_jobs_waiting", "Jobs that wait in a queue, by reason", [
  "queue",
  "state",
]);

export interface JobProcessor {
  job: Job;
  concurrency: number;
  run(payload: unknown, context: JobContext): Promise<void>;
  /** Cleans up after a job that failed for good. */
  failed?: (payload: unknown) => Promise<void>;
}
export interface JobRunnerOptions {
  processors: readonly JobProcessor[];
  connections: RedisConnections;
  logger: Logger;
  /** Aborts when the process begins to stop, possibly before `stop()`. */
  stopping?: AbortSignal;
  /** A replica that has not renewed its lock for this long loses the job; default 30,000 ms. */
  lockMs?: number;
}

/** A job that has crashed this many replicas gets one last attempt. */
const maxCrashes = 2;
/**
 * Delay before a job is run again that found its database or a service down or overloaded, or a disk
 * full. It grows while an outage lasts.
 */
const awayDelay = (runs: number): number => Math.min(30_000, 2_000 * 1.1 ** runs);
/** How many such runs don't count as attempts: about 14 hours' worth. A full disk has no limit. */
const maxAwayRuns = 1_700;
/** Not labelled `job`, which Prometheus sets itself. */
const finished = metrics.histogram("carrel_job_seconds", "Duration of a job attempt", [
  "name",
  "outcome",
]);

/** Runs one BullMQ worker per queue in which this service has jobs. */
export class JobRunner {
  private readonly workers: Worker<JobEnvelope>[] = [];
  private readonly abort = new AbortController();
  private isStopping = false;
  private stopMeasuring: (() => Promise<void>) | undefined;
  constructor(private readonly options: JobRunnerOptions) {}

  start(): void {
    const queues = new Map<string, JobProcessor[]>();
    for (const processor of this.options.processors)
      queues.set(queueName(processor.job), [
        ...(queues.get(queueName(processor.job)) ?? []),
        processor,
      ]);
    this.stopMeasuring = measureQueues([...queues.keys()], this.options.connections);
    for (const [queue, processors] of queues) {
      const byName = new Map(processors.map((processor) => [processor.job.name, processor]));
      const lockMs = this.options.lockMs ?? 30_000;
      const worker = new Worker<JobEnvelope>(
        queue,
        (job, token) => this.run(byName.get(job.name), job, token),
        {
          connection: this.options.connections.jobs,
          prefix: "carrel",
          concurrency: Math.max(...processors.map((processor) => processor.concurrency)),
          lockDuration: lockMs,
          stalledInterval: Math.max(250, lockMs / 2),
          maxStalledCount: maxCrashes,
          // Seconds; a new job ends the wait.
          drainDelay: 30,
        },
      );
      worker.on("error", (error) =>
        this.options.logger.debug({ err: error, queue }, "job worker error"),
      );
      worker.on("failed", (job, error) => {
        this.options.logger.warn(
          { job: job?.name, jobId: job?.id, attempt: job?.attemptsMade, error: error.message },
          "a job failed",
        );
        // Also called for jobs that crashed every replica that ran them.
        if (job?.finishedOn) void this.endWaits(byName.get(job.name), job);
      });
      this.workers.push(worker);
    }
  }

  /**
   * Takes no more jobs and waits for running ones; after `timeoutMs` it aborts their signal and
   * lets their locks expire. A run that fails meanwhile is repeated and doesn't count, because
   * parts of the service may have stopped already.
   */
  async stop(timeoutMs: number): Promise<void> {
    this.isStopping = true;
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<"late">((resolve) => {
      timer = setTimeout(() => resolve("late"), timeoutMs);
    });
    const closed = Promise.all(this.workers.map((worker) => worker.close())).catch(() => undefined);
    if ((await Promise.race([closed, deadline])) === "late") {
      this.abort.abort(new DOMException("The process is stopping", "AbortError"));
      await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500))]);
      await Promise.all(this.workers.map((worker) => worker.close(true))).catch(() => undefined);
    }
    clearTimeout(timer);
    await this.stopMeasuring?.().catch(() => undefined);
  }

  private async endWaits(
    processor: JobProcessor | undefined,
    job: BullJob<JobEnvelope>,
  ): Promise<void> {
    if (!processor?.failed) return;
    try {
      await processor.failed(processor.job.payload.parse(job.data.payload));
    } catch (error) {
      // The reconciler will find the row.
      this.options.logger.warn({ err: error, job: job.name }, "couldn't record a failed job");
    }
  }

  private async run(
    processor: JobProcessor | undefined,
    job: BullJob<JobEnvelope>,
    token: string | undefined,
  ): Promise<void> {
    if (!processor) throw new UnrecoverableError(`This version has no processor for ${job.name}`);
    const payload = processor.job.payload.safeParse(job.data.payload);
    if (!payload.success)
      throw new UnrecoverableError(
        `The payload of ${job.name} is not valid: ${payload.error.message}`,
      );
    const attempt = job.attemptsMade + 1;
    if (processor.job.fairBy !== undefined && job.opts.priority)
      void noteTurn(
        this.options.connections.commands,
        queueName(processor.job),
        job.opts.priority,
      ).catch(() => undefined);
    const crashes = job.stalledCounter ?? 0;
    const started = performance.now();
    const work = {
      requestId: job.data.requestId ?? randomUUID(),
      actor: "service",
      traceparent: nextTraceparent(job.data.traceparent ?? undefined),
      idempotencyKey: `job/${job.id}`,
    };
    let outcome = "done";
    try {
      await context.run(work, () =>
        withSpan(
          job.name,
          {
            kind: "CONSUMER",
            attributes: { "carrel.attempt": attempt },
          },
          () =>
            processor.run(payload.data, {
              attempt,
              lastAttempt: attempt >= (job.opts.attempts ?? 1) || crashes >= maxCrashes,
              signal: this.abort.signal,
              crashes,
            }),
        ),
      );
    } catch (error) {
      outcome = "failed";
      this.options.logger.warn({ err: error, job: job.name, attempt }, "a job attempt failed");
      const isStopping = this.isStopping || this.options.stopping?.aborted === true;
      const away = findAway(error);
      const runs = job.attemptsStarted - job.attemptsMade;
      if (away === "request.storage-full" || ((isStopping || away) && runs < maxAwayRuns)) {
        await job.moveToDelayed(Date.now() + awayDelay(runs), token);
        throw new DelayedError();
      }
      if (isFinal(error)) throw new UnrecoverableError(nameOf(error));
      throw new Error(nameOf(error), { cause: error });
    } finally {
      finished.observe({ name: job.name, outcome }, (performance.now() - started) / 1000);
    }
  }
}

/**
 * Counts the waiting jobs of these queues whenever the metrics are read; returns a function that
 * stops this.
 */
function measureQueues(
  names: readonly string[],
  connections: RedisConnections,
): () => Promise<void> {
  const queues = names.map(
    (name) =>
      new Queue(name, {
        connection: connections.jobs,
        prefix: "carrel",
        skipMetasUpdate: true, // keeps the sender's settings of the queue
      }),
  );
  // The connection reports its own errors.
  for (const queue of queues) queue.on("error", () => undefined);
  const stop = metrics.beforeRender(async () => {
    for (const queue of queues) {
      const counts = await queue.getJobCounts("wait", "prioritized", "delayed", "failed");
      const { wait = 0, prioritized = 0, delayed = 0, failed = 0 } = counts;
      depth.set({ queue: queue.name, state: "ready" }, wait + prioritized);
      depth.set({ queue: queue.name, state: "delayed" }, delayed);
      depth.set({ queue: queue.name, state: "failed" }, failed);
    }
  });
  return async () => {
    stop();
    await Promise.all(queues.map((queue) => queue.close()));
  };
}

const awayCodes: ReadonlySet<string> = new Set([
  "request.unavailable",
  "request.stopping",
  "request.queue-full",
  "request.storage-full",
]);
/**
 * Which of these it is if the database or a service is down or overloaded, or a disk is full, which
 * says nothing about the job; otherwise null.
 */
function findAway(error: unknown): string | null {
  const code = (toFault(error) ?? toUnavailable(error))?.code;
  return code !== undefined && awayCodes.has(code) ? code : null;
}

/**
 * What Redis and its files keep of an error. Its message goes only to the log, because it may quote
 * a document, or a vendor who quotes one.
 */
const nameOf = (error: unknown): string =>
  toFault(error)?.code ?? (error instanceof Error ? error.name : "unknown");

/** Errors declare whether a retry may help; those that don't are retried. */
export const isFinal = (error: unknown): boolean =>
  typeof error === "object" &&
  error !== null &&
  "isRetryable" in error &&
  error.isRetryable === false;
