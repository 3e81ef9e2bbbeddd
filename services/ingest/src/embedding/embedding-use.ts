import { randomUUID } from "node:crypto";
import { embeddingUsed, type EventPayload } from "@carrel/contracts";
import { eventMessage, Outbox } from "@carrel/messaging";
import type { Logger } from "@carrel/observability";
import type { EmbeddingModel } from "@carrel/providers";
import { LOGGER } from "@carrel/runtime";
import { Inject, Injectable, type BeforeApplicationShutdown } from "@nestjs/common";
import { DataSource } from "typeorm";

type Use = Omit<EventPayload<typeof embeddingUsed>, "id">;
/** Batched: a library of small documents would otherwise write a row each. */
const flushMs = 5_000;

/** Adds up what embedders count, by workspace and model, and reports it for the usage reports. */
@Injectable()
export class EmbeddingUse implements BeforeApplicationShutdown {
  private uses = new Map<string, Use>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Counts may be fractions, because texts of several workspaces share a call. */
  add(
    workspaceId: number,
    { provider, model }: Pick<EmbeddingModel, "provider" | "model">,
    { tokens, milliseconds }: Pick<Use, "tokens" | "milliseconds">,
  ): void {
    const key = JSON.stringify([workspaceId, provider, model]);
    const known = this.uses.get(key);
    this.uses.set(key, {
      workspaceId,
      provider,
      model,
      tokens: tokens + (known?.tokens ?? 0),
      milliseconds: milliseconds + (known?.milliseconds ?? 0),
    });
    this.timer ??= setTimeout(() => void this.flush(), flushMs).unref();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  /** Never throws: what couldn't be written is part of the next report. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    const uses = [...this.uses.values()];
    this.uses = new Map();
    if (uses.length === 0) return;
    try {
      await this.dataSource.transaction((manager) =>
        this.outbox.add(
          manager,
          ...uses.map((use) =>
            eventMessage(embeddingUsed, {
              ...use,
              id: randomUUID(),
              tokens: Math.round(use.tokens),
              milliseconds: Math.round(use.milliseconds),
            }),
          ),
        ),
      );
    } catch (error) {
      this.logger.warn({ err: error }, "couldn't record what embedders used, will retry");
      for (const use of uses) this.add(use.workspaceId, use, use);
    }
  }
}
