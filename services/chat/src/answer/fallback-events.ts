import { randomUUID } from "node:crypto";
import { eventLogged } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable } from "@nestjs/common";
import { LRUCache } from "lru-cache";
import { DataSource } from "typeorm";
import type { AnswerTask } from "./answerer.ts";
import type { Candidate, Failure } from "./fallback-answerer.ts";

/** A model that is down for an hour would otherwise fill the log with every question. */
const quietMs = 10 * 60_000;

/** Writes to the event log that another model answered; the same two models at most every 10 min. */
@Injectable()
export class FallbackEvents {
  private readonly recorded = new LRUCache<string, true>({ max: 256, ttl: quietMs });

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Never throws: the answer matters more than its entry. */
  async record({ scope }: AnswerTask, failure: Failure, by: Candidate): Promise<void> {
    const key = JSON.stringify([failure.label, by.label]);
    if (this.recorded.has(key)) return;
    this.recorded.set(key, true);
    try {
      await this.outbox.add(
        this.dataSource.manager,
        eventMessage(eventLogged, {
          id: randomUUID(),
          event: "model_fallback",
          userId: scope.principal.userId,
          metadata: {
            workspaceSlug: scope.workspace.slug,
            unavailable: failure.label,
            model: by.label,
            reason: failure.error.message,
          },
          occurredAt: new Date().toISOString(),
        }),
      );
    } catch (error) {
      this.recorded.delete(key);
      this.logger.warn({ err: error }, "couldn't record that another model answered");
    }
  }
}
