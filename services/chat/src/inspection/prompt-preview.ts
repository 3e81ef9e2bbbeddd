import { CarrelError, type WorkspaceScope } from "@carrel/contracts";
import { ProviderError, type LanguageModel } from "@carrel/providers";
import { Injectable } from "@nestjs/common";
import { isPerson, readMemorySettings } from "../memory/memory-settings.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { LanguageModels } from "../model/language-models.ts";
import { TokenFactors } from "../model/token-factors.ts";
import { isCut, type PromptParts } from "../prompt/fit-context-window.ts";
import { promptBudget, PromptFitter } from "../prompt/prompt-fitter.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { isFullText, type OfferedPiece, type RunNotes } from "./run-notes.ts";

/** Shows what the workspace's model would receive, without history. */
@Injectable()
export class PromptPreview {
  constructor(
    private readonly settings: SettingsCache,
    private readonly models: LanguageModels,
    private readonly factors: TokenFactors,
    private readonly fitter: PromptFitter,
    private readonly memories: MemoryRepository,
  ) {}

  /** Returns null for both if no model is configured or its settings are incomplete. */
  async fit(
    scope: WorkspaceScope,
    offered: OfferedPiece[],
    question: string,
    signal: AbortSignal,
  ): Promise<{ model: string | null; prompt: RunNotes["prompt"] }> {
    const model = await this.findModel(scope);
    if (model === null) return { model: null, prompt: null };
    const parts: PromptParts = {
      instructions: await this.settings.getSystemPrompt(scope),
      memories: await this.listMemories(scope),
      fullTexts: offered.filter(isFullText).map(({ text }) => text),
      contextTexts: offered.filter((piece) => !isFullText(piece)).map(({ text }) => text),
      question,
      history: [],
    };
    const factor = this.factors.factorOf(model);
    const contextWindow = this.factors.windowOf(model);
    const budget = promptBudget({
      window: contextWindow,
      answerTokens: model.answerTokens,
      imageTokens: 0,
      factor,
    });
    const fitted = await this.fitter.fit(parts, budget, signal);
    return {
      model: model.model,
      prompt: {
        contextWindow,
        instructions: fitted.instructions,
        memories: fitted.memories,
        question: fitted.question,
        history: [],
        turnsGiven: 0,
        fullTexts: fitted.fullTexts,
        contextTexts: fitted.contextTexts,
        imageTokens: 0,
        counted: fitted.tokens,
        factor,
        isCut: isCut(parts, fitted),
      },
    };
  }

  private async findModel(scope: WorkspaceScope): Promise<LanguageModel | null> {
    const workspace = await this.settings.getWorkspace(scope);
    const instance = await this.settings.getInstance();
    try {
      return this.models.choose(workspace, instance).model;
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }

  private async listMemories(scope: WorkspaceScope): Promise<string[]> {
    const { values } = await this.settings.getInstance();
    if (!readMemorySettings(values).isEnabled || !isPerson(scope.principal)) return [];
    return (await this.memories.listForPrompt(scope)).map(({ content }) => content);
  }
}
