import { setTimeout as wait } from "node:timers/promises";
import {
  CarrelError,
  resolvePromptParts,
  type CarrelFrame,
  type Out,
  type SourceWire,
  type StreamFrame,
  type WorkspaceScope,
} from "@carrel/contracts";
import { ProviderError } from "@carrel/providers";
import { stripNullCharacters } from "../database/null-character.ts";
import { noNotes, offerFullText } from "../inspection/inspection-record.ts";
import { isPerson, readMemorySettings } from "../memory/memory-settings.ts";
import { AnswerText } from "../answer/answer-text.ts";
import type { HistoryTurn } from "../prompt/build-prompt.ts";
import { describeUnshown, extractiveNotice } from "../attachment/attachment-images.ts";
import { explainNothingFound, extractiveModelName, writeQuotes } from "../answer/quote-passages.ts";
import { leanOf, questionsBefore } from "../retrieval/follow-up.ts";
import { buildMetrics, sourcesFrame, stageFrame, statusFrame } from "./frames.ts";
import { fullTextSource, listFullTexts, passagesOf, promptText } from "../retrieval/full-texts.ts";
import type { GenerationTools } from "./generation-tools.ts";
import type { Ending, RunnableGeneration } from "./generation.repository.ts";
import { expandPresets, fillVariables, mayHoldParts } from "../prompt/prompt-parts.ts";
import { searchQuestion, type FoundPassages } from "../retrieval/search-question.ts";
import { dropContainedPassages, selectSources } from "../retrieval/select-sources.ts";
import { AnswerTooLongError, writeAnswer } from "../answer/model-answerer.ts";

/** Why a run is told to stop; the reason of its signal. */
export type StopReason = "cancel" | "shutdown" | "lost";

export type RunDependencies = Pick<GenerationTools, keyof GenerationTools>;

/** Where a run's frames go. */
export interface RunOutput {
  send(frame: StreamFrame | CarrelFrame): void;
  sendText(delta: string): void;
  readonly isFull: boolean;
}

/**
 * What a run has reached: the runner saves the text so far from it, and an ending is built from it.
 */
export class RunState {
  private sourceCount = 0;
  readonly text = new AnswerText(() => this.sourceCount);
  sources: Ending["sources"] = [];
  mode: "chat" | "query" = "chat";
  provider: string | null = null;
  model: string | null = null;
  usage: { inputTokens: number; outputTokens: number } | null = null;
  promptText = "";
  /** Told beside the answer. */
  notices: string[] = [];
  /** Ids of memories that the prompt held. */
  usedMemories: number[] = [];
  /** Whether a model may look at the question for memories. */
  mayTeach = false;
  /** When the answerer was asked (performance.now()). */
  askedAt: number | null = null;
  refusal: { text: string; isEmptyWorkspace: boolean } | null = null;
  /** For the inspector, which makes something of them once the answer is there. */
  readonly notes = noNotes();

  /** Says something beside the answer; it stays with the turn. */
  tell(generationId: string, output: RunOutput, notice: string): void {
    this.notices = [...this.notices, stripNullCharacters(notice)];
    output.send(statusFrame(generationId, notice));
  }

  /** What the answer shows as its sources; marks may point at these and nothing else. */
  keepSources(sources: SourceWire[]): void {
    this.sources = sources;
    this.sourceCount = sources.length;
  }
}

const refusalText = "There is no relevant information in this workspace to answer your query.";
const defaultHistory = 20;
/**
 * Where the workspace sets none, wire-contract 4.7; providers leave it out for models that refuse
 * one.
 */
const defaultTemperature = 0.7;
/** Between two quotes, so that they appear one after the other. */
const quotePauseMs = 20;
const agentNotice = "@agent could not be called. Chat will be handled as default chat.";

/**
 * Characters of full texts that are asked for: what a window can hold at five characters a token,
 * at most so many; and for the answerer that quotes.
 */
const charactersOfToken = 5;
const mostCharacters = 4_000_000;
const quotedCharacters = 400_000;

/**
 * The search of a question that stands alone, begun while its turn is still being written; null for
 * one that needs the
 * history or its slash commands first. The run awaits it and tells its failure.
 */
export function beginSearch(
  d: Pick<RunDependencies, "settings" | "requests">,
  scope: WorkspaceScope,
  question: string,
): Promise<FoundPassages> | null {
  if (leanOf(question) !== "alone" || mayHoldParts(question, "")) return null;
  const found = searchQuestion(d, scope, question, null);
  found.catch(() => undefined);
  return found;
}

/**
 * Slash commands of the questions and variables of the system prompt put in; asked for only where
 * there may be some. Turns keep
 * what the person typed (wire-contract 4.5), so the commands of earlier questions are put in each
 * time, as they are set now.
 */
async function resolveParts(
  d: RunDependencies,
  generation: RunnableGeneration,
  basePrompt: string,
  history: Promise<HistoryTurn[]>,
): Promise<{ question: string; systemPrompt: string; history: Promise<HistoryTurn[]> }> {
  const { question, scope, timeZone, locale } = generation;
  const ask = async (): Promise<Out<typeof resolvePromptParts>> =>
    d.requests.request(resolvePromptParts, { timeZone, locale }, { scope });
  const now = mayHoldParts(question, basePrompt) ? await ask() : null;
  const expanded = history.then(async (turns) => {
    if (!turns.some((turn) => mayHoldParts(turn.question, ""))) return turns;
    const { presets } = now ?? (await ask());
    return turns.map((turn) => ({ ...turn, question: expandPresets(turn.question, presets) }));
  });
  expanded.catch(() => undefined);
  return now === null
    ? { question, systemPrompt: basePrompt, history: expanded }
    : {
        question: expandPresets(question, now.presets),
        systemPrompt: fillVariables(basePrompt, now.variables),
        history: expanded,
      };
}

/**
 * One answer from question to text: settings, history, retrieval, prompt, model. Writes frames and
 * text to `output` and
 * `state` as they come; how it ended is told by `describeEnding`. Throws what went wrong.
 */
export async function runGeneration(
  d: RunDependencies,
  generation: RunnableGeneration,
  state: RunState,
  output: RunOutput,
  signal: AbortSignal,
): Promise<void> {
  const { scope, threadId, turnId } = generation;
  const tell = (notice: string): void => state.tell(generation.id, output, notice);
  if (generation.question.startsWith("@agent")) tell(agentNotice);
  const unshown = describeUnshown(generation.attachments);
  if (unshown !== null) tell(unshown);
  const [workspace, instance, basePrompt] = await Promise.all([
    d.settings.getWorkspace(scope),
    d.settings.getInstance(),
    d.settings.getSystemPrompt(scope),
  ]);
  state.mode = generation.requestedMode ?? workspace.chatMode;
  const answerer = d.models.getAnswerer(workspace, instance);
  state.provider = answerer.provider;
  state.model = answerer.model?.model ?? extractiveModelName;
  const memory = readMemorySettings(instance.values);
  const hasMemories = answerer.model !== null && memory.isEnabled && isPerson(scope.principal);
  state.mayTeach = hasMemories && memory.isExtracting;
  signal.throwIfAborted();

  output.send(stageFrame("searching"));
  const historyLimit = workspace.openAiHistory || defaultHistory;
  const stored = d.repository.listHistory(scope, threadId, turnId, historyLimit);
  const memories = hasMemories ? d.memories.listForPrompt(scope) : Promise.resolve([]);
  const fullTexts = listFullTexts(
    d.requests,
    scope,
    threadId,
    answerer.model === null
      ? quotedCharacters
      : Math.min(mostCharacters, d.factors.windowOf(answerer.model) * charactersOfToken),
    signal,
  );
  // They are awaited below; until then a failure of theirs is not unhandled.
  for (const pending of [stored, memories, fullTexts]) pending.catch(() => undefined);
  const { question, systemPrompt, history } = await resolveParts(d, generation, basePrompt, stored);
  // Most questions stand alone: then the search need not wait for the history.
  const previous =
    leanOf(question) !== "alone"
      ? questionsBefore((await history).map((turn) => turn.question))
      : null;
  const searched = generation.search ?? searchQuestion(d, scope, question, previous);
  const [turns, texts, first] = await Promise.all([history, fullTexts, searched]);
  signal.throwIfAborted();
  const pinned = new Set(
    texts.filter((text) => text.kind === "pinned").map((text) => text.documentId),
  );
  // The prompt holds pinned documents in full: where the search found some of them, others take
  // their places.
  const found = first.passages.some((passage) => pinned.has(passage.documentId))
    ? await searchQuestion(d, scope, question, previous, { excludeDocumentIds: [...pinned] })
    : first;
  const passages = dropContainedPassages(found.passages);
  state.notes.searches = found.traces;
  output.send(
    stageFrame("reading", {
      documents: found.documentCount,
      passages: passages.length,
      milliseconds: Math.round(found.milliseconds),
    }),
  );

  const refuse = (): void => {
    state.refusal = {
      text: workspace.queryRefusalResponse ?? refusalText,
      isEmptyWorkspace: found.documentCount === 0,
    };
  };
  if (state.mode === "query" && passages.length === 0 && texts.length === 0) return refuse();

  state.askedAt = performance.now();
  const fullPieces = texts.map((text) => ({
    text: promptText(text),
    source: fullTextSource(text),
  }));
  const foundSources = selectSources(passages);
  state.notes.offered = [
    ...texts.map((text, index) =>
      offerFullText(text, fullPieces[index]!.text, fullPieces[index]!.source),
    ),
    ...passages.map(({ documentId, start, end, score }, index) => ({
      origin: "found" as const,
      text: foundSources[index]!.text,
      documentId,
      start,
      end,
      score,
      source: foundSources[index]!,
    })),
  ];
  if (answerer.model === null) {
    const images = generation.attachments.filter(({ blobKey }) => blobKey !== undefined).length;
    if (images > 0) tell(extractiveNotice(images));
    const quotation = await d.quotes.find(
      {
        question,
        previousQuestion: previous,
        passages: [...passagesOf(texts, quotedCharacters), ...passages],
        threshold: workspace.similarityThreshold,
      },
      signal,
    );
    state.notes.quoted = quotation.passages.map((passage) => passage.chunkId);
    if (quotation.sentences.length === 0 && state.mode === "query") return refuse();
    // Nobody searched for the places of full texts, so they have no score.
    const scored = new Set(passages.map((passage) => passage.chunkId));
    state.keepSources(
      selectSources(quotation.passages).map(({ score, ...source }) =>
        scored.has(source.id) ? { ...source, score } : source,
      ),
    );
    if (state.sources.length > 0) output.send(sourcesFrame(state.sources));
    output.send(stageFrame("writing"));
    // Quotes are verbatim, so what looks like a mark in a document stays.
    const pieces =
      quotation.sentences.length === 0
        ? [explainNothingFound(found.documentCount)]
        : writeQuotes(quotation.sentences);
    state.promptText = question;
    for (const piece of pieces) {
      signal.throwIfAborted();
      // A part for each quote: the stream joins what comes within 15 ms.
      if (state.text.length > 0) await wait(quotePauseMs);
      output.sendText(state.text.pushVerbatim(piece));
    }
    return;
  }
  const backfill =
    passages.length >= workspace.topN || turns.length === 0
      ? []
      : await d.earlier.find({
          scope,
          threadId,
          beforeTurnId: turnId,
          turns: historyLimit,
          known: passages,
          excluded: pinned,
          wanted: workspace.topN - passages.length,
        });
  const fillers = selectSources(backfill);
  state.notes.offered.push(
    ...backfill.map(({ documentId, start, end }, index) => ({
      origin: "earlier" as const,
      text: fillers[index]!.text,
      documentId,
      start,
      end,
      score: null,
      source: null,
    })),
  );
  const { images, turns: shownTurns } = await d.images.load(generation.attachments, turns);
  signal.throwIfAborted();
  await writeAnswer(d, answerer.model, {
    generation,
    state,
    output,
    signal,
    systemPrompt,
    memories: await memories,
    question,
    images,
    turns: shownTurns,
    temperature: workspace.openAiTemp ?? defaultTemperature,
    fullTexts: fullPieces,
    passages: [
      ...foundSources.map((source) => ({ text: source.text, source })),
      ...fillers.map((source) => ({ text: source.text, source: null })),
    ],
  });
}

/** How the run ended, from what it reached and what it threw (undefined: nothing). */
export function describeEnding(
  generation: RunnableGeneration,
  state: RunState,
  failure: unknown,
  stopped: StopReason | null,
): Ending {
  const answer = state.refusal?.text ?? state.text.toString();
  const isStopped = stopped === "cancel";
  const ended: Ending["state"] = isStopped
    ? "cancelled"
    : failure === undefined
      ? "done"
      : "failed";
  const error = ended === "failed" ? stripNullCharacters(describeFailure(failure, stopped)) : null;
  return {
    id: generation.id,
    state: ended,
    answer,
    notices: state.notices,
    sources: state.sources,
    error,
    refused: state.refusal !== null,
    mode: state.mode,
    provider: state.provider,
    model: state.model,
    metrics: buildMetrics({
      usage: state.usage,
      promptText: state.promptText,
      answer,
      milliseconds: state.askedAt === null ? 0 : performance.now() - state.askedAt,
      provider: state.provider,
      model: state.model,
      at: new Date(),
    }),
    threadName: answer === "" ? null : cutName(generation.question),
  };
}

/** Words for the person; null when the fault is ours and belongs into the log. */
export function describeKnownFailure(failure: unknown): string | null {
  if (failure instanceof AnswerTooLongError)
    return "The answer grew beyond 4 MB and was ended. The text so far was kept.";
  if (failure instanceof ProviderError || failure instanceof CarrelError) return failure.message;
  return null;
}

function describeFailure(failure: unknown, stopped: StopReason | null): string {
  if (stopped === "shutdown")
    return "Carrel was shut down while this was being answered. The text so far was kept.";
  return (
    describeKnownFailure(failure) ??
    "Something went wrong inside Carrel while this was being answered. Its log says what."
  );
}

/** The first 22 characters of the first message name its thread (wire-contract 4.3). */
export function cutName(question: string): string | null {
  const name = Array.from(question.replace(/\s+/g, " ").trim()).slice(0, 22).join("").trim();
  return name === "" ? null : name;
}
