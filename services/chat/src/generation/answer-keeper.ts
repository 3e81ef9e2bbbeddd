import { Inject, Injectable } from "@nestjs/common";
import type { Logger } from "@carrel/observability";
import { LOGGER } from "@carrel/runtime";
import type { AnswerDraft } from "../answer/answer-draft.ts";
import { BudgetAnnouncer } from "../budget/budget-announcer.ts";
import { InspectionKeeper } from "../inspection/inspection-keeper.ts";
import { MemoryKeeper } from "../memory/memory-keeper.ts";
import { UsageRepository } from "../usage/usage.repository.ts";
import { describeEnding, type Ending } from "./ending.ts";
import type { RunnableGeneration } from "./runnable-generation.ts";

/** Keeps what an ended answer leaves behind besides its turn. */
@Injectable()
export class AnswerKeeper {
  constructor(
    private readonly memories: MemoryKeeper,
    private readonly inspections: InspectionKeeper,
    private readonly usage: UsageRepository,
    private readonly budgets: BudgetAnnouncer,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  keep({ turnId }: RunnableGeneration, draft: AnswerDraft, ending: Ending): void {
    const isAnswered = ending.state === "done" && !ending.refused;
    this.memories.keep(draft.usedMemories, draft.allowsExtraction && isAnswered ? turnId : null);
    this.inspections.keep(turnId, draft.notes, {
      mode: draft.mode,
      provider: draft.provider,
      model: draft.model,
      sources: ending.sources,
      reported: draft.usage?.inputTokens ?? null,
    });
    this.budgets.noteUse();
  }

  /** What an answer used counts even if its conversation was deleted while it was written. */
  async keepDeleted(generation: RunnableGeneration, draft: AnswerDraft): Promise<void> {
    const { id, turnId, threadId, scope } = generation;
    const { use } = describeEnding(generation, draft, undefined, "cancel");
    if (use === null) return;
    const { workspace, principal } = scope;
    const place = { turnId, threadId, workspaceId: workspace.id, userId: principal.userId };
    try {
      await this.usage.record(place, use);
    } catch (error) {
      this.logger.error({ err: error, generation: id }, "couldn't record what an answer used");
    }
  }
}
