import { randomUUID } from "node:crypto";
import { ingestModelUsed, type EventPayload } from "@carrel/contracts";
import { eventMessage, Outbox, type OutboxMessage } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";

type Use = Omit<EventPayload<typeof ingestModelUsed>, "id">;
/** Further calls of a report hold their budgets until that expires: an event has its limits, too. */
const maxCallIds = 1_000;
const amounts = [
  "inputTokens",
  "cachedTokens",
  "outputTokens",
  "reasoningTokens",
  "audioMs",
  "searches",
  "milliseconds",
] as const;
type Amounts = Record<(typeof amounts)[number], number>;
/** What was used, without amounts that are zero. */
export type NewUse = Pick<Use, "purpose" | "provider" | "model"> &
  Partial<Omit<Use, "purpose" | "provider" | "model" | keyof Amounts>> &
  Partial<Amounts>;

const none = Object.fromEntries(amounts.map((name) => [name, 0])) as Amounts;
const unnamed = {
  workspaceId: null,
  userId: null,
  keyId: null,
  widgetId: null,
  state: "done",
  isEstimated: false,
} as const;
/** PostgreSQL's largest integer: vendors may send anything. */
const largest = 2_147_483_647;
/** Batched: a library of small documents would otherwise write a row each. */
const flushMs = 5_000;

/** Adds up what models are used for, and reports it for the usage reports. */
@Injectable()
export class ModelUse implements BeforeApplicationShutdown {
  private uses = new Map<string, Use>();
  /**
   * Reports that couldn't be written; they keep their IDs, because they may have been written
   * anyway.
   */
  private unsent: OutboxMessage[] = [];
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Amounts may be fractions, because texts of several workspaces share a call. */
  add(use: NewUse): void {
    const added: Use = { ...unnamed, ...none, ...use };
    const { workspaceId, userId, keyId, widgetId, purpose, provider, model, state, isEstimated } =
      added;
    const key = JSON.stringify([
      [workspaceId, userId, keyId, widgetId],
      [purpose, provider, model, state, isEstimated],
    ]);
    const known = this.uses.get(key);
    for (const name of amounts)
      added[name] = Math.min(largest, Math.max(0, added[name]) + (known?.[name] ?? 0));
    const callIds = [...(known?.callIds ?? []), ...(use.callIds ?? [])];
    if (callIds.length > 0) added.callIds = callIds.slice(0, maxCallIds);
    this.uses.set(key, added);
    this.timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Never throws: what couldn't be written is part of the next report. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const messages = [...this.unsent, ...[...this.uses.values()].map(describe)];
    this.uses = new Map();
    this.unsent = [];
    if (messages.length === 0) return;
    try {
      await this.dataSource.transaction((manager) => this.outbox.add(manager, ...messages));
    } catch (error) {
      this.logger.warn({ err: error }, "couldn't record what models used, will retry");
      this.unsent = [...messages, ...this.unsent];
      this.timer ??= setTimeout(() => void this.flush(), flushMs).unref();
    }
  }
}

const describe = (use: Use): OutboxMessage =>
  eventMessage(ingestModelUsed, {
    ...use,
    ...(Object.fromEntries(amounts.map((name) => [name, Math.round(use[name])])) as Amounts),
    id: randomUUID(),
  });
