import { randomUUID } from "node:crypto";
import { estimateTokens, isFreeProvider, type LanguageModel } from "@carrel/providers";
import type { ModelPort } from "@carrel/skills";
import { Injectable } from "@nestjs/common";
import type { AnswerTask } from "../answer/answerer.ts";
import { Budgets } from "../budget/budgets.ts";
import { UsageRepository, writeText } from "../usage/usage-record.ts";

/** The model of a run. */
export interface RunModel {
  /** Its provider in settings and in usage. */
  provider: string;
  languageModel: LanguageModel;
}

/** Lets tools ask the model of their run. */
@Injectable()
export class RunModels {
  constructor(
    private readonly usage: UsageRepository,
    private readonly budgets: Budgets,
  ) {}

  /** Calls beside the run's conversation; their use counts as part of the answer. */
  portOf(task: AnswerTask, model: RunModel): ModelPort {
    const { scope, draft, turnId, threadId } = task;
    const { provider, languageModel } = model;
    return {
      contextWindow: languageModel.contextWindow,
      ask: async ({ system, text, maxTokens, signal }) => {
        const release = await this.holdBudget(task, model, `${system}\n${text}`, maxTokens);
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
            findPrice: draft.findPrice,
            provider,
            principal: scope.principal,
            onUse: (use) =>
              this.usage.record(
                {
                  turnId,
                  threadId,
                  workspaceId: scope.workspace.id,
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
    { scope, draft }: AnswerTask,
    { provider, languageModel }: RunModel,
    prompt: string,
    maxTokens: number,
  ): Promise<() => Promise<void>> {
    const id = randomUUID();
    const input = estimateTokens(prompt);
    const price = draft.findPrice(provider, languageModel.model);
    await this.budgets.admitCall(id, scope, {
      tokens: input + maxTokens,
      micros: input * (price?.input ?? 0) + maxTokens * (price?.output ?? 0),
      isFree: isFreeProvider(provider),
    });
    return () => this.budgets.release(id);
  }
}
