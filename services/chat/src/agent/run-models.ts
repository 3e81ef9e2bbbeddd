import { randomUUID } from "node:crypto";
import type { Scope } from "@carrel/contracts";
import { estimateTokens, isFreeProvider, type LanguageModel } from "@carrel/providers";
import type { ModelPort } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import type { AnswerTask } from "../answer/answerer.ts";
import { Budgets } from "../budget/budgets.ts";
import type { PriceLookup } from "../setting/settings-cache.ts";
import { UsageRepository, writeText } from "../usage/usage-record.ts";

/** The model of a run. */
export interface RunModel {
  /** Its provider in settings and in usage. */
  provider: string;
  languageModel: LanguageModel;
}

/** On whose behalf a model is asked, and what for. */
interface ModelCaller {
  scope: Scope;
  findPrice: PriceLookup;
  turnId: number | null;
  threadId: number | null;
}

/** Lets tools ask the model of their run. */
@Injectable()
export class RunModels {
  constructor(
    private readonly usage: UsageRepository,
    private readonly budgets: Budgets,
  ) {}

  /** Calls beside the run's conversation; their use counts as part of the answer. */
  portOf({ scope, draft, turnId, threadId }: AnswerTask, model: RunModel): ModelPort {
    return this.portFor({ scope, findPrice: draft.findPrice, turnId, threadId }, model);
  }

  portFor(caller: ModelCaller, model: RunModel): ModelPort {
    const { scope, findPrice, turnId, threadId } = caller;
    const { provider, languageModel } = model;
    return {
      contextWindow: languageModel.contextWindow,
      ask: async ({ system, text, maxTokens, signal }) => {
        const release = await this.holdBudget(caller, model, `${system}\n${text}`, maxTokens);
        try {
          return await writeText({
            model: languageModel,
            call: {
              system,
              messages: [{ role: "user", content: text }],
              temperature: 0.3,
              maxTokens,
              signal,
            },
            maxCharacters: maxTokens * 12,
            purpose: "answer",
            findPrice,
            provider,
            principal: scope.principal,
            onUse: (use) =>
              this.usage.record(
                {
                  turnId,
                  threadId,
                  workspaceId: scope.workspace?.id ?? null,
                  userId: scope.principal.userId,
                },
                use,
              ),
          });
        } finally {
          await release();
        }
      },
    };
  }

  /** Throws CarrelError if a budget is used up. Returns a function that gives the rest back. */
  private async holdBudget(
    { scope, findPrice }: ModelCaller,
    { provider, languageModel }: RunModel,
    prompt: string,
    maxTokens: number,
  ): Promise<() => Promise<void>> {
    const id = randomUUID();
    const input = estimateTokens(prompt);
    const price = findPrice(provider, languageModel.model);
    await this.budgets.admitCall(id, scope, {
      tokens: input + maxTokens,
      micros: input * (price?.input ?? 0) + maxTokens * (price?.output ?? 0),
      isFree: isFreeProvider(provider),
    });
    return () => this.budgets.release(id);
  }
}
