import { embeddingUsed, servicePrincipal, type EventPayload } from "@carrel/contracts";
import { Consume } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { noTokens } from "./token-count.ts";
import { describeUse } from "./usage-record.ts";
import { UsageRepository } from "./usage.repository.ts";

/** Records what embedders used. They have no user: documents are everyone's in their workspace. */
@Injectable()
export class EmbeddingUseConsumer {
  constructor(private readonly usage: UsageRepository) {}

  @Consume(embeddingUsed)
  record(event: EventPayload<typeof embeddingUsed>): Promise<void> {
    const { id, workspaceId, provider, model, tokens, milliseconds } = event;
    const use = describeUse({
      purpose: "embedding",
      state: "done",
      principal: servicePrincipal,
      provider,
      model,
      tokens: { ...noTokens, input: tokens },
      firstTokenMs: null,
      milliseconds,
    });
    return this.usage.record(
      { turnId: null, threadId: null, workspaceId, userId: null },
      { ...use, event_id: id },
    );
  }
}
