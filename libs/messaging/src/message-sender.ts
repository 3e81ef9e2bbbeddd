import { metrics } from "@carrel/observability";
import { Queue } from "bullmq";
import { broadcastChannel } from "./broadcast.ts";
import { takeTurn } from "./fair-turns.ts";
import type { OutboxMessage } from "./outbox.ts";
import type { RedisConnections } from "./redis-connections.ts";

export const eventStream = "events";
export const queueName = (job: { service: string; queue: string }): string =>
  `${job.service}-${job.queue}`;
/** BullMQ doesn't allow ':' in custom job IDs. */
const jobId = (name: string, rowId: string, version: number): string =>
  `${name}/${rowId}/${version}`;

/** A job's data in Redis: its payload and the trace it belongs to. */
export interface JobEnvelope {
  payload: unknown;
  requestId: string | null;
  traceparent: string | null;
}
export interface Origin {
  requestId: string | null;
  traceparent: string | null;
}

/**
 * How long a failed job blocks its ID before a reconciler may add it again: long enough to keep a
 * job that crashes replicas from causing a crash loop.
 */
const failedJobRestMs = 15 * 60_000;

const sent = metrics.counter("carrel_messages_sent_total", "Jobs and events handed to Redis", [
  "kind",
  "name",
]);

/**
 * Adds jobs to their queues and events to the stream; called only by the outbox relay and the
 * reconcilers.
 */
export class MessageSender {
  private readonly queues = new Map<string, Queue>();
  constructor(private readonly connections: RedisConnections) {}

  /** With `revive`, adds a job again that failed long ago and is still due. */
  async send(
    message: OutboxMessage,
    origin: Origin = { requestId: null, traceparent: null },
    options: { revive?: boolean } = {},
  ): Promise<void> {
    if (message.kind === "event") await this.event(message, origin);
    else await this.job(message, origin, options.revive ?? false);
    sent.inc({
      kind: message.kind,
      name: message.kind === "job" ? message.job.name : message.event.name,
    });
  }

  async close(): Promise<void> {
    await Promise.all([...this.queues.values()].map((queue) => queue.close()));
    this.queues.clear();
  }

  private async job(
    { job, rowId, version, payload, delayMs }: Extract<OutboxMessage, { kind: "job" }>,
    origin: Origin,
    revive: boolean,
  ): Promise<void> {
    const id = jobId(job.name, rowId, version);
    const queue = this.queue(queueName(job));
    if (revive) {
      const present = await queue.getJob(id);
      if (
        present?.finishedOn &&
        present.finishedOn < Date.now() - failedJobRestMs &&
        (await present.isFailed())
      )
        await present.remove();
    }
    const turn = await takeTurn(this.connections.commands, {
      job,
      queue: queueName(job),
      jobId: id,
      payload,
    });
    await queue.add(job.name, { payload, ...origin } satisfies JobEnvelope, {
      jobId: id,
      delay: delayMs,
      attempts: job.attempts,
      backoff: { type: "exponential", delay: job.backoffMs },
      removeOnComplete: true,
      ...(turn === null ? {} : { priority: turn }),
      removeOnFail: { age: 24 * 3600, count: 10_000 },
    });
  }

  private async event(
    { event, payload }: Extract<OutboxMessage, { kind: "event" }>,
    origin: Origin,
  ): Promise<void> {
    const text = JSON.stringify(payload ?? null);
    const { commands } = this.connections;
    if (event.consumers.length > 0)
      await commands.xadd(
        eventStream,
        "*",
        "n",
        event.name,
        "p",
        text,
        "r",
        origin.requestId ?? "",
        "t",
        origin.traceparent ?? "",
      );
    await commands.publish(broadcastChannel(`event:${event.name}`), text);
  }

  private queue(name: string): Queue {
    let queue = this.queues.get(name);
    if (!queue) {
      queue = new Queue(name, {
        connection: this.connections.jobs,
        prefix: "carrel",
        streams: { events: { maxLen: 100 } },
      });
      // The connection reports its own errors.
      queue.on("error", () => undefined);
      this.queues.set(name, queue);
    }
    return queue;
  }
}
