import { ingestModelUsed, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { readPrices } from "../setting/price-lookup.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { describeUse } from "../usage/usage-record.ts";
import { UsageRepository } from "../usage/usage.repository.ts";
import { BudgetAnnouncer } from "./budget-announcer.ts";
import { Budgets } from "./budgets.ts";

/** Records what ingest's models are used for. */
@Injectable()
export class ModelUseConsumer {
  constructor(
    private readonly usage: UsageRepository,
    private readonly settings: SettingsCache,
    private readonly budgets: Budgets,
    private readonly announcer: BudgetAnnouncer,
  ) {}

  @Consume(ingestModelUsed)
  async record(event: EventPayload<typeof ingestModelUsed>): Promise<void> {
    const { id, workspaceId, userId, keyId, audioMs, searches } = event;
    const { values } = await this.settings.getInstance();
    const use = describeUse({
      purpose: event.purpose,
      state: event.state,
      principal: keyId === null ? { kind: "service" } : { kind: "key", keyId },
      provider: event.provider,
      model: event.model,
      findPrice: readPrices(values),
      tokens: {
        input: event.inputTokens,
        cached: event.cachedTokens,
        output: event.outputTokens,
        reasoning: event.reasoningTokens,
        isEstimated: event.isEstimated,
      },
      media: { characters: 0, audioMs, searches },
      firstTokenMs: null,
      milliseconds: event.milliseconds,
    });
    await this.usage.record(
      { turnId: null, threadId: null, workspaceId, userId },
      { ...use, widget_id: event.widgetId ?? null, event_id: id },
    );
    if (event.callIds !== undefined) await this.budgets.release(...event.callIds);
    this.announcer.noteUse();
  }
}
