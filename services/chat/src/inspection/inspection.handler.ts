import { Controller } from "@nestjs/common";
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
import { stripNullCharacters } from "../database/null-character.ts";
import { answerReserve } from "../prompt/fit-context-window.ts";
import { fullTextSource, listFullTexts, promptText } from "../retrieval/full-texts.ts";
import { LanguageModels } from "../model/language-models.ts";
import { PromptFitter } from "../prompt/prompt-fitter.ts";
import { searchQuestion } from "../retrieval/search-question.ts";
import { dropContainedPassages, selectSources } from "../retrieval/select-sources.ts";
import { SettingsCache } from "../setting/settings-cache.ts";
import { TokenFactors } from "../model/token-factors.ts";
import { isCut } from "../answer/model-answerer.ts";
import { isPerson, readMemorySettings } from "../memory/memory-settings.ts";
import { MemoryRepository } from "../memory/memory.repository.ts";
import { inWorkspace } from "../workspace-scope.ts";
import { buildRecord, noNotes, offerFullText, type RunNotes } from "./inspection-record.ts";
import { InspectionRepository } from "./inspection.repository.ts";
import { readInspection } from "./read-inspection.ts";

/** Candidates that a try-out shows. */
const shownCandidates = 100;
/** Characters of full texts that a try-out reads. */
const mostCharacters = 1_000_000;

@Controller()
export class InspectionHandler {
  private readonly inspections: InspectionRepository;
  private readonly requests: RequestClient;
  private readonly settings: SettingsCache;
  private readonly models: LanguageModels;
  private readonly fitter: PromptFitter;
  private readonly factors: TokenFactors;
  private readonly memories: MemoryRepository;

  constructor(
    inspections: InspectionRepository,
    requests: RequestClient,
    settings: SettingsCache,
    models: LanguageModels,
    fitter: PromptFitter,
    factors: TokenFactors,
    memories: MemoryRepository,
  ) {
    this.inspections = inspections;
    this.requests = requests;
    this.settings = settings;
    this.models = models;
    this.fitter = fitter;
    this.factors = factors;
    this.memories = memories;
  }

  @Handle(inspectTurn)
  async inspect(
    { chatId }: In<typeof inspectTurn>,
    ctx: RequestContext,
  ): Promise<Out<typeof inspectTurn>> {
    const scope = inWorkspace(ctx.scope);
    const turn = await this.inspections.findOwn(scope, chatId);
    if (turn === null) throw new CarrelError("NOT_FOUND", "Chat not found.");
    return {
      inspection:
        turn.record === null ? null : await readInspection(this.requests, scope, turn.record, turn),
    };
  }

  @Handle(tryRetrieval)
  async try(
    input: In<typeof tryRetrieval>,
    ctx: RequestContext,
  ): Promise<Out<typeof tryRetrieval>> {
    const scope = inWorkspace(ctx.scope);
    const question = stripNullCharacters(input.question).trim();
    const previous = stripNullCharacters(input.previousQuestion ?? "").trim();
    if (question === "") throw new CarrelError("BAD_INPUT", "There is no question.");
    const workspace = await this.settings.getWorkspace(scope);
    const { topN, similarityThreshold, rerank } = input;
    const texts = await listFullTexts(this.requests, scope, null, mostCharacters, ctx.signal);
    const found = await searchQuestion(
      { settings: this.settings, requests: this.requests },
      scope,
      question,
      previous === "" ? null : previous,
      {
        ...(topN !== undefined && { topN }),
        ...(similarityThreshold !== undefined && { similarityThreshold }),
        ...(rerank !== undefined && { rerank }),
        mode: input.mode,
        filter: input.filter,
        expansion: input.expansion,
        trace: shownCandidates,
        excludeDocumentIds: texts.map((text) => text.documentId).slice(0, 2_000),
      },
    );
    const passages = dropContainedPassages(found.passages);
    const sources = selectSources(passages);
    const notes: RunNotes = {
      ...noNotes(),
      searches: found.traces,
      offered: [
        ...texts.map((text) => offerFullText(text, promptText(text), fullTextSource(text))),
        ...passages.map(({ documentId, start, end, score }, index) => ({
          origin: "found" as const,
          text: sources[index]!.text,
          documentId,
          start,
          end,
          score,
          source: sources[index]!,
        })),
      ],
    };
    const model = await this.findModel(scope);
    if (model !== null) notes.prompt = await this.fit(scope, model, notes, question, ctx.signal);
    const shown = notes.offered.flatMap(({ source }) => source ?? []);
    const record = buildRecord(notes, {
      mode: workspace.chatMode,
      provider: null,
      model: model?.model ?? null,
      sources: shown,
      reported: null,
    });
    return {
      inspection: await readInspection(this.requests, scope, record, { question, at: new Date() }),
    };
  }

  /** null: the built-in answerer, or a model whose settings are not enough. */
  private async findModel(scope: WorkspaceScope): Promise<LanguageModel | null> {
    try {
      return this.models.getAnswerer(
        await this.settings.getWorkspace(scope),
        await this.settings.getInstance(),
      ).model;
    } catch (error) {
      if (error instanceof ProviderError || error instanceof CarrelError) return null;
      throw error;
    }
  }

  private async fit(
    scope: WorkspaceScope,
    model: LanguageModel,
    { offered }: RunNotes,
    question: string,
    signal: AbortSignal,
  ): Promise<NonNullable<RunNotes["prompt"]>> {
    const [systemPrompt, { values }] = await Promise.all([
      this.settings.getSystemPrompt(scope),
      this.settings.getInstance(),
    ]);
    const memories =
      readMemorySettings(values).isEnabled && isPerson(scope.principal)
        ? await this.memories.listForPrompt(scope)
        : [];
    const factor = this.factors.factorOf(model);
    const contextWindow = this.factors.windowOf(model);
    const isFound = ({ origin }: { origin: string }): boolean => origin === "found";
    const whole = {
      fullTexts: offered.filter((piece) => !isFound(piece)),
      passages: offered.filter(isFound),
      turns: [],
      question,
      systemPrompt,
      memories,
    };
    const reserve = Math.max(
      answerReserve,
      Math.min(model.answerTokens ?? 0, Math.floor(contextWindow / 2)),
    );
    const fitted = await this.fitter.fit(
      {
        instructions: systemPrompt,
        memories: memories.map(({ content }) => content),
        fullTexts: whole.fullTexts.map(({ text }) => text),
        contextTexts: whole.passages.map(({ text }) => text),
        question,
        history: [],
      },
      Math.floor((contextWindow - reserve) / factor) + answerReserve,
      signal,
    );
    return {
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
      isCut: isCut(whole, fitted),
    };
  }
}
