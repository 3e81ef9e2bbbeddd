import type { DomainEvent, Job } from "@carrel/contracts";
import { metrics, type Logger } from "@carrel/observability";
import type { DataSource } from "typeorm";
import type { MessageSender } from "./message-sender.ts";
import type { OutboxNotifications } from "./outbox-notifications.ts";
import type { OutboxMessage } from "./outbox.ts";

interface OutboxRow {
  id: string;
  kind: "job" | "event";
  name: string;
  row_id: string | null;
  version: string | null;
  delay_ms: number;
  payload: unknown;
  request_id: string | null;
  traceparent: string | null;
}

export interface OutboxRelayOptions {
  url: () => string;
  schema: string;
  dataSource: DataSource;
  sender: MessageSender;
  notifications: OutboxNotifications;
  jobs: readonly Job[];
  events: readonly DomainEvent[];
  logger: Logger;
  /**
   * Polling interval while notifications may be lost or another replica may leave rows behind;
   * default 2,000 ms.
   */
  pollMs?: number;
}

const relayed = metrics.counter("carrel_outbox_relayed_total", "Outbox messages handed to Redis", [
  "schema",
]);
const batch = 100;
/** For this long after a notification or a failure, the relay polls often. */
const busyMs = 15_000;
/** Polling interval otherwise: notifications report all new rows. */
const quietPollMs = 30_000;
/** If Redis does not accept a batch within this time, it stays in the outbox. */
const sendTimeoutMs = 10_000;

/**
 * Moves committed outbox rows to Redis, triggered by NOTIFY and by polling in case a notification
 * is lost. A row is deleted only once Redis has the message.
 */
export class OutboxRelay {
  private readonly jobs: Map<string, Job>;
  private readonly events: Map<string, DomainEvent>;
  private stopListening: (() => Promise<void>) | undefined;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;
  private again = false;
  private closed = false;
  private isListening = false;
  private busyUntil = 0;
  private lastSweep = 0;

  constructor(private readonly options: OutboxRelayOptions) {
    this.jobs = new Map(options.jobs.map((job) => [job.name, job]));
    this.events = new Map(options.events.map((event) => [event.name, event]));
  }

  start(): void {
    const { url, schema, notifications } = this.options;
    this.stopListening = notifications.listen(url, schema, {
      onListening: (isListening) => {
        this.isListening = isListening;
        // Rows may have been added before listening started.
        if (isListening) this.nudge();
        else this.schedule();
      },
      onRows: () => {
        this.busyUntil = Date.now() + busyMs;
        this.nudge();
      },
    });
    this.nudge();
  }

  /** Relays now; calls during a run trigger one more. */
  nudge(): void {
    if (this.closed) return;
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.drain()
      .catch((error: unknown) => {
        this.busyUntil = Date.now() + busyMs;
        this.options.logger.warn({ err: error }, "couldn't relay the outbox, will retry");
      })
      .finally(() => {
        this.running = null;
        this.schedule();
        if (this.again) {
          this.again = false;
          this.nudge();
        }
      });
  }

  private schedule(): void {
    clearTimeout(this.timer);
    if (this.closed) return;
    const isQuiet = this.isListening && Date.now() > this.busyUntil;
    const pollMs = isQuiet ? quietPollMs : (this.options.pollMs ?? 2_000);
    this.timer = setTimeout(() => this.nudge(), pollMs);
  }

  async stop(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    await this.running;
    await this.stopListening?.();
  }

  private async drain(): Promise<void> {
    let count = batch;
    while (count === batch && !this.closed) count = await this.relayBatch();
    if (Date.now() - this.lastSweep > 3_600_000) {
      this.lastSweep = Date.now();
      await this.options.dataSource.query(
        `DELETE FROM "${this.options.schema}".request_result WHERE created_at < now() - interval '1 day'`,
      );
    }
  }

  private async relayBatch(): Promise<number> {
    const { schema, dataSource, sender, logger } = this.options;
    return dataSource.transaction(async (manager) => {
      // A deletion lost in a crash only sends its message again, so the commit doesn't wait for the
      // disk.
      const [rows] = await manager.query<[OutboxRow[], number]>(
        `DELETE FROM "${schema}".outbox
        WHERE id = ANY(
          ARRAY(SELECT id FROM "${schema}".outbox ORDER BY id LIMIT ${batch} FOR UPDATE SKIP LOCKED)
        )
        RETURNING *, (SELECT set_config('synchronous_commit', 'off', true))`,
      );
      if (rows.length === 0) return 0;
      // Ids are bigints, as text.
      rows.sort((a, b) => Number(a.id) - Number(b.id));
      const messages = rows.flatMap((row) => {
        const message = this.message(row);
        if (!message)
          logger.error(
            { name: row.name, id: row.id },
            "dropped an outbox row with an unknown job or event",
          );
        return message
          ? [{ message, origin: { requestId: row.request_id, traceparent: row.traceparent } }]
          : [];
      });
      await withTimeout(
        Promise.all(messages.map(({ message, origin }) => sender.send(message, origin))),
        sendTimeoutMs,
      );
      relayed.inc({ schema }, rows.length);
      return rows.length;
    });
  }

  private message(row: OutboxRow): OutboxMessage | null {
    if (row.kind === "event") {
      const event = this.events.get(row.name);
      return event ? { kind: "event", event, payload: row.payload } : null;
    }
    const job = this.jobs.get(row.name);
    return job && row.row_id !== null
      ? {
          kind: "job",
          job,
          rowId: row.row_id,
          version: Number(row.version),
          payload: row.payload,
          delayMs: row.delay_ms,
        }
      : null;
  }
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      work,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`Redis accepted nothing within ${ms} ms`)), ms);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
