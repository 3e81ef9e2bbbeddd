import { embeddingUsed, servicePrincipal, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { readPrices } from "../setting/price-lookup.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { noTokens } from "./token-count.ts";
import { describeUse } from "./usage-record.ts";
import { UsageRepository } from "./usage.repository.ts";

/** Records what embedders used. They have no user: documents are everyone's in their workspace. */
@Injectable()
export class EmbeddingUseConsumer {
  constructor(
    private readonly usage: UsageRepository,
    private readonly settings: SettingsCache,
  ) {}

  @Consume(embeddingUsed)
  async record(event: EventPayload<typeof embeddingUsed>): Promise<void> {
    const { id, workspaceId, provider, model, tokens, milliseconds } = event;
    const { values } = await this.settings.getInstance();
    const use = describeUse({
      purpose: "embedding",
      state: "done",
      principal: servicePrincipal,
      provider,
      model,
      findPrice: readPrices(values),
      tokens: { ...noTokens, input: tokens },
      firstTokenMs: null,
      milliseconds,
    });
    await this.usage.record(
      { turnId: null, threadId: null, workspaceId, userId: null },
      { ...use, event_id: id },
    );
  }
}
