import {
  splitOwnTags,
  type AnswerOverrides,
  type AnswerParameters,
  type CarrelFrame,
  type ChatMode,
  type StreamFrame,
  type ThreadParameters,
  type WorkspaceScope,
  type WorkspaceWire,
} from "@carrel/contracts";
import { findTexts } from "@carrel/texts";
import { Injectable } from "@nestjs/common";
import { AnswererChoice } from "../agent/answerer-choice.ts";
import { listRead } from "../agent/trust.ts";
import type { AnswerDraft, AnswerOutput } from "../answer/answer-draft.ts";
import type { AnswerTask } from "../answer/answerer.ts";
import { describeUnsupported } from "../attachment/attachment-images.ts";
import { offerPieces } from "../inspection/inspection-record.ts";
import { MemoryRepository, isPerson, readMemorySettings } from "../memory/memory.repository.ts";
import { isWithdrawn, modelLabel, withThreadModel } from "../model/language-models.ts";
import { withAgentModel } from "../model/tool-calling.ts";
import { usesTools } from "../prompt/build-prompt.ts";
import { PromptPartResolver, mayHavePlaceholders } from "../prompt/prompt-parts.ts";
import { classifyQuestion, meansConversation, questionsBefore } from "../retrieval/follow-up.ts";
import { FullTextReader, type FullText } from "../retrieval/full-texts.ts";
import {
  QuestionSearch,
  describeFallback,
  type FoundPassages,
} from "../retrieval/question-search.ts";
import { SettingsCache, readPrices } from "../setting/settings-cache.ts";
import { TurnRepository, type HistoryTurn } from "../turn/turn.repository.ts";
import { DocumentWaits, nothingFound, retryWhileAway } from "./document-waits.ts";
import { agentFrame, stageFrame } from "./frames.ts";
import { isUnattended, type RunnableGeneration } from "./generation.repository.ts";

export interface PipelineOutput extends AnswerOutput {
  send(frame: StreamFrame | CarrelFrame): void;
}

/** Takes one answer from question to text: settings, history, retrieval, then the answerer. */
@Injectable()
export class GenerationPipeline {
  private readonly documentWaits = new DocumentWaits();

  constructor(
    private readonly settings: SettingsCache,
    private readonly answerers: AnswererChoice,
    private readonly turns: TurnRepository,
    private readonly memories: MemoryRepository,
    private readonly parts: PromptPartResolver,
    private readonly questionSearch: QuestionSearch,
    private readonly fullTexts: FullTextReader,
  ) {}

  /**
   * Starts the search while the question's turn is still being written; null if it first needs the
   * history or slash commands. The run awaits it and reports its failure.
   */
  beginSearch(
    scope: WorkspaceScope,
    question: string,
    mode: ChatMode | null,
  ): Promise<FoundPassages> | null {
    const isStandalone =
      classifyQuestion(question) === "standalone" && !mayHavePlaceholders(question, "");
    if (mode === "automatic" || !isStandalone) return null;
    const found = this.settings
      .getWorkspace(scope)
      .then(({ chatMode }) =>
        (mode ?? chatMode) === "automatic"
          ? nothingFound
          : this.questionSearch.search(scope, question, null),
      );
    found.catch(() => undefined);
    return found;
  }

  /** Starts reading the texts that go into the prompt in full; the run reports a failure. */
  beginFullTexts(scope: WorkspaceScope, threadId: number | null): Promise<FullText[]> {
    const texts = this.readFullTexts(scope, threadId);
    texts.catch(() => undefined);
    return texts;
  }

  private async readFullTexts(scope: WorkspaceScope, threadId: number | null): Promise<FullText[]> {
    const [workspace, instance, fallbacks] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
      this.settings.getFallbackModels(scope),
    ]);
    await this.answerers.prepare(workspace, instance);
    const { fullTextLimit } = this.answerers.choose(workspace, instance, fallbacks);
    return this.fullTexts.list(scope, threadId, fullTextLimit);
  }

  /** Stored turns that an answer takes into account: none if the question brings its history. */
  async findHistoryLimit(
    scope: WorkspaceScope,
    overrides: AnswerOverrides | null,
  ): Promise<number> {
    const workspace = await this.settings.getWorkspace(scope);
    return overrides?.history == null ? historyLimitOf(workspace, overrides) : 0;
  }

  /**
   * Writes frames to `output` and the answer to `draft` as they come; `describeEnding` turns the
   * outcome into an ending. Throws provider and search errors.
   */
  async run(
    generation: RunnableGeneration,
    draft: AnswerDraft,
    output: PipelineOutput,
    { signal, committed }: Pick<AnswerTask, "signal" | "committed">,
  ): Promise<void> {
    const { scope, threadId, turnId, attachments, overrides } = generation;
    const modelChoice = overrides?.modelChoice ?? generation.modelChoice;
    const places = overrides?.places ?? null;
    const filter = places === null ? {} : { places };
    // A run of it that was lost may have written some text.
    if (generation.isResumed === true && isUnattended(generation)) await output.rewind(0);
    const unsupported = describeUnsupported(attachments);
    if (unsupported !== null) draft.notify(output, unsupported);
    const [ofWorkspace, instance, fallbacks, basePrompt, ownParameters] = await Promise.all([
      this.settings.getWorkspace(scope),
      this.settings.getInstance(),
      this.settings.getFallbackModels(scope),
      this.settings.getSystemPrompt(scope),
      this.settings.getParameters(scope),
    ]);
    const workspace = withOverrides(
      withThreadModel(ofWorkspace, modelChoice, scope.principal, instance.values),
      generation.parameters,
      overrides,
    );
    draft.findPrice = readPrices(instance.values);
    draft.mode = findMode(generation, ofWorkspace);
    const answerer = this.answerers.choose(
      draft.mode === "automatic" ? withAgentModel(workspace, modelChoice) : workspace,
      instance,
      fallbacks,
      draft.mode === "automatic",
    );
    if (draft.mode === "automatic" && !answerer.looksUpItself) {
      if (generation.requestedMode === "automatic")
        draft.notify(output, { code: "notice.agent-without-model" });
      draft.mode = "chat";
    }
    if (draft.mode === "automatic") output.send(agentFrame());
    draft.provider = answerer.provider;
    draft.model = answerer.model;
    if (isWithdrawn(modelChoice, scope.principal, instance.values)) {
      draft.notify(output, {
        code: "notice.model-withdrawn",
        params: { model: modelLabel(modelChoice) },
      });
    }
    const memorySettings = readMemorySettings(instance.values);
    const usesMemories =
      answerer.usesMemories && memorySettings.isEnabled && isPerson(scope.principal);
    draft.allowsExtraction = usesMemories && memorySettings.isExtracting;
    signal.throwIfAborted();

    if (!answerer.looksUpItself) output.send(stageFrame("searching"));
    const historyLimit = historyLimitOf(workspace, overrides);
    const storedHistory = this.readHistory(generation, historyLimit);
    const pendingMemories = usesMemories ? this.memories.listForPrompt(scope) : Promise.resolve([]);
    const pendingTexts = this.listFullTexts(generation, answerer.fullTextLimit, signal);
    // They are awaited below; until then, a failure must not become an unhandled rejection.
    for (const pending of [storedHistory, pendingMemories, pendingTexts])
      pending.catch(() => undefined);
    const { question, systemPrompt, history } = await this.parts.resolve({
      scope,
      question: generation.question,
      // Text from visitors and other programs is never one of our commands.
      hasCommands: generation.channel === null || generation.channel === "api",
      systemPrompt:
        overrides?.systemPrompt ?? (generation.parameters?.systemPrompt?.trim() || basePrompt),
      history: storedHistory,
      timeZone: generation.timeZone,
      locale: generation.locale,
    });
    // Most questions are standalone, so their search doesn't wait for the history.
    const previousQuestion =
      answerer.looksUpItself ||
      generation.search !== null ||
      classifyQuestion(question) === "standalone"
        ? null
        : questionsBefore((await history).map((turn) => turn.question));
    const found = answerer.looksUpItself
      ? nothingFound
      : retryWhileAway(signal, generation.search, () =>
          this.questionSearch.search(scope, question, previousQuestion, { filter }),
        );
    const documents = Promise.all([pendingTexts, found]);
    const [turns, [fullTexts, firstFound]] = await Promise.all([
      history,
      // A search of some places says nothing about the rest of the workspace.
      places === null
        ? this.documentWaits.read(generation, documents, !answerer.looksUpItself, { draft, output })
        : documents,
    ]);
    signal.throwIfAborted();
    const { documentCount, milliseconds, traces, fallback, ...searched } =
      await this.searchBesidePinned(
        firstFound,
        fullTexts.filter((text) => text.kind === "pinned").map((text) => text.documentId),
        (excludeDocumentIds) =>
          this.questionSearch.search(scope, question, previousQuestion, {
            filter,
            excludeDocumentIds,
          }),
      );
    if (fallback) draft.notify(output, describeFallback(fallback, documentCount));
    const isFollowUp = turns.length > 0 && meansConversation(question);
    const isOverview =
      !answerer.looksUpItself &&
      fullTexts.length === 0 &&
      answerer.wantsOverview(question, isFollowUp);
    const passages =
      isOverview && firstFound !== nothingFound
        ? await this.questionSearch.listLead(scope, answerer.overview, filter)
        : searched.passages;
    const readings = isOverview ? [{ context: null, passages, searched: [] }] : searched.readings;
    // A copy: agents add their searches to it, and those who find nothing share one object.
    draft.notes.searches = [...traces];
    if (!answerer.looksUpItself)
      output.send(
        stageFrame("reading", {
          documents: documentCount,
          passages: passages.length + fullTexts.length,
          milliseconds: Math.round(milliseconds),
        }),
      );

    const refuse = (): void => {
      draft.refusal = {
        text:
          (documentCount === 0 && !fallback ? overrides?.emptyRefusal : null) ??
          overrides?.refusal ??
          workspace.queryRefusalResponse ??
          findTexts(scope.language)(places === null ? "refusal" : "refusalOfChoice"),
        // A workspace whose documents wait for a store isn't empty.
        isEmptyWorkspace: documentCount === 0 && !fallback,
      };
    };
    if (draft.mode === "query" && passages.length === 0 && fullTexts.length === 0) return refuse();

    draft.askedAt = performance.now();
    draft.notes.offered = offerPieces(fullTexts, passages);
    const task: AnswerTask = {
      generationId: generation.id,
      isResumed: generation.isResumed === true,
      canAsk: overrides?.asksPerson ?? generation.channel === null,
      waitSeconds: overrides?.waitSeconds ?? null,
      approvals: overrides?.approvals ?? null,
      scope,
      threadId,
      turnId,
      workspace,
      question,
      readings,
      attachments,
      systemPrompt,
      history: turns,
      historyLimit,
      usesMemories,
      memories: await pendingMemories,
      fullTexts,
      passages,
      isOverview,
      documentCount,
      waitsForStore: documentCount === 0 ? (fallback?.store ?? null) : null,
      places,
      tools: overrides ?? {},
      toolSwitches: overrides?.toolSwitches ?? {},
      outputFormat: overrides?.outputFormat ?? null,
      maxTokens: overrides?.maxTokens ?? null,
      parameters: mergeParameters(generation.parameters, ownParameters),
      draft,
      output,
      signal,
      committed,
    };
    draft.read = listRead(task);
    if ((await answerer.answer(task)) === "nothing-found") refuse();
  }

  /** Pinned documents, the thread's files, then those attached to this question alone. */
  private async listFullTexts(
    { scope, threadId, fullTexts, overrides }: RunnableGeneration,
    limit: number,
    signal: AbortSignal,
  ): Promise<FullText[]> {
    const filesOf = overrides?.filesOf ?? null;
    const [texts, attached] = await Promise.all([
      retryWhileAway(signal, fullTexts, () => this.fullTexts.list(scope, threadId, limit, signal)),
      filesOf === null
        ? []
        : retryWhileAway(signal, null, () => this.fullTexts.list(scope, filesOf, limit, signal)),
    ]);
    // A question about certain documents is not about those pinned for all.
    const own = overrides?.places ? texts.filter(({ kind }) => kind !== "pinned") : texts;
    return [...own, ...attached.filter(({ kind }) => kind !== "pinned")];
  }

  private readHistory(
    { scope, threadId, turnId, overrides, history }: RunnableGeneration,
    limit: number,
  ): Promise<HistoryTurn[]> {
    if (overrides?.history != null)
      return Promise.resolve(
        overrides.history.map(({ question, answer }) => ({
          question,
          answer: splitOwnTags(answer).answer,
          attachments: [],
          id: null,
          hasReadUntrusted: true,
          hasReadPrivate: true,
        })),
      );
    if (history === null) return this.turns.listHistory(scope, threadId, turnId, limit);
    return Promise.resolve(limit === 0 ? [] : history.slice(-limit));
  }

  /** Pinned documents are in the prompt in full, so their passages are replaced by others. */
  private async searchBesidePinned(
    found: FoundPassages,
    pinned: string[],
    searchWithout: (documentIds: string[]) => Promise<FoundPassages>,
  ): Promise<FoundPassages> {
    const passages = found.readings.flatMap((reading) => reading.passages);
    return passages.some((passage) => pinned.includes(passage.documentId))
      ? searchWithout([...new Set(pinned)])
      : found;
  }
}

/**
 * The mode of the question, else the workspace's. Visitors and clients that bring their own tools
 * chat where members have agents (wire-contract 8.3).
 */
function findMode(
  { requestedMode, channel, overrides }: RunnableGeneration,
  { chatMode }: WorkspaceWire,
): ChatMode {
  const mode = requestedMode ?? chatMode;
  const isPlain =
    channel === "widget" || usesTools(overrides ?? {}) || overrides?.outputFormat != null;
  return mode === "automatic" && isPlain ? "chat" : mode;
}

const defaultHistory = 20;
const historyLimitOf = (workspace: WorkspaceWire, overrides: AnswerOverrides | null): number =>
  overrides?.historyLimit ?? (workspace.openAiHistory || defaultHistory);

/** The workspace as this question sees it: the question chooses first, then its thread. */
const withOverrides = (
  workspace: WorkspaceWire,
  thread: ThreadParameters | null,
  overrides: AnswerOverrides | null,
): WorkspaceWire => ({
  ...workspace,
  openAiTemp: overrides?.temperature ?? thread?.temperature ?? workspace.openAiTemp,
  chatModel: overrides?.model ?? workspace.chatModel,
});

/** The thread owner's choice, else the workspace's. */
const mergeParameters = (
  thread: ThreadParameters | null,
  workspace: AnswerParameters,
): AnswerParameters => ({
  maxTokens: thread?.maxTokens ?? workspace.maxTokens,
  topP: thread?.topP ?? workspace.topP,
  effort: thread?.effort ?? workspace.effort,
});
