import {
  CarrelError,
  inspectTurn,
  tryRetrieval,
  type In,
  type Out,
  type WorkspaceScope,
} from "@carrel/contracts";
import { Handle, RequestClient, type RequestContext } from "@carrel/messaging";
import { ProviderError, type LanguageModel } from "@carrel/providers";
import { Controller, Injectable, Module } from "@nestjs/common";
import { stripNullCharacters } from "../database/null-character.ts";
import { MemoryModule } from "../memory/memory.module.ts";
import { MemoryRepository, isPerson, readMemorySettings } from "../memory/memory.repository.ts";
import { LanguageModels } from "../model/language-models.ts";
import { ModelModule } from "../model/model.module.ts";
import { TokenFactors } from "../model/token-factors.ts";
import { isCut, type PromptParts } from "../prompt/fit-context-window.ts";
import { PromptFitter, promptBudget } from "../prompt/prompt-fitter.ts";
import { PromptModule } from "../prompt/prompt.module.ts";
import { FullTextReader } from "../retrieval/full-texts.ts";
import { QuestionSearch } from "../retrieval/question-search.ts";
import { RetrievalModule } from "../retrieval/retrieval.module.ts";
import { SettingModule } from "../setting/setting.module.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { InspectionKeeper, InspectionRepository } from "./inspection-keeper.ts";
import {
  buildRecord,
  emptyNotes,
  isFullText,
  offerPieces,
  type OfferedPiece,
  type RunNotes,
} from "./inspection-record.ts";
import { namedPlaces, readInspection } from "./read-inspection.ts";

/** Shows what the workspace's model would receive, without history. */
@Injectable()
class PromptPreview {
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

/** Maximum number of candidates a trial shows. */
const shownCandidates = 100;
/** Maximum number of full-text characters a trial reads. */
const maximumCharacters = 1_000_000;
/** The contract's limit. */
const maximumExcluded = 2_000;

/**
 * Shows what a question would find and how much of it would fit into the prompt, without answering
 * it.
 */
@Controller()
class RetrievalTrialHandler {
  constructor(
    private readonly questionSearch: QuestionSearch,
    private readonly fullTexts: FullTextReader,
    private readonly preview: PromptPreview,
    private readonly settings: SettingsCache,
    private readonly requests: RequestClient,
  ) {}

  @Handle(tryRetrieval)
  async try(
    input: In<typeof tryRetrieval>,
    ctx: RequestContext,
  ): Promise<Out<typeof tryRetrieval>> {
    const scope = inWorkspace(ctx.scope);
    const question = stripNullCharacters(input.question).trim();
    const previousQuestion = stripNullCharacters(input.previousQuestion ?? "").trim() || null;
    if (question === "") throw new CarrelError("chat.question-missing");
    const workspace = await this.settings.getWorkspace(scope);
    const { topN, similarityThreshold, rerank } = input;
    const texts = await this.fullTexts.list(scope, null, maximumCharacters, ctx.signal);
    const found = await this.questionSearch.search(scope, question, previousQuestion, {
      ...(topN !== undefined && { topN }),
      ...(similarityThreshold !== undefined && { similarityThreshold }),
      ...(rerank !== undefined && { rerank }),
      mode: input.mode,
      filter: input.filter,
      expansion: input.expansion,
      trace: shownCandidates,
      names: true,
      excludeDocumentIds: texts.map((text) => text.documentId).slice(0, maximumExcluded),
    });
    const offered = offerPieces(texts, found.passages);
    const { model, prompt } = await this.preview.fit(scope, offered, question, ctx.signal);
    const notes = { ...emptyNotes(), searches: [...found.traces], offered, prompt };
    const record = buildRecord(notes, {
      mode: workspace.chatMode,
      provider: null,
      model,
      sources: offered.flatMap(({ source }) => source ?? []),
      reported: null,
    });
    const known = namedPlaces(found.traces, found.names, found.passages);
    return {
      inspection: await readInspection(this.requests, scope, record, {
        question,
        at: new Date(),
        known,
      }),
    };
  }
}

@Controller()
class InspectionHandler {
  constructor(
    private readonly inspections: InspectionRepository,
    private readonly requests: RequestClient,
  ) {}

  @Handle(inspectTurn)
  async inspect(
    { chatId }: In<typeof inspectTurn>,
    ctx: RequestContext,
  ): Promise<Out<typeof inspectTurn>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.inspections.findOwn(scope, chatId);
    if (turn === null) throw new CarrelError("turn.not-found");
    return {
      inspection:
        turn.record === null ? null : await readInspection(this.requests, scope, turn.record, turn),
    };
  }
}

@Module({
  imports: [MemoryModule, ModelModule, PromptModule, RetrievalModule, SettingModule],
  controllers: [InspectionHandler, RetrievalTrialHandler],
  providers: [InspectionKeeper, InspectionRepository, PromptPreview],
  exports: [InspectionKeeper],
})
export class InspectionModule {}
