import {
  CarrelError,
  splitSpans,
  type KnownFault,
  type Passage,
  type ToolCall,
} from "@carrel/contracts";
import {
  ProviderError,
  messageText,
  type FinishReason,
  type LanguageModel,
} from "@carrel/providers";
import { readSummaryRequest } from "@carrel/retrieval";
import { tokensPerImage } from "../attachment/attachment-images.ts";
import { providerName } from "../model/language-models.ts";
import type { TokenFactors } from "../model/token-factors.ts";
import {
  buildPrompt,
  buildToolCall,
  buildToolMessages,
  countToolTokens,
  requireTools,
  usesTools,
  type Prompt,
} from "../prompt/build-prompt.ts";
import { isCut, lacksSources, type PromptParts } from "../prompt/fit-context-window.ts";
import { promptBudget, type PromptFitter } from "../prompt/prompt-fitter.ts";
import type { AnswerDraft } from "./answer-draft.ts";
import type { AnswerMaterial, AnswerMaterials } from "./answer-materials.ts";
import { notifyCoverage, type AnswerTask, type Answerer } from "./answerer.ts";
import { readReply } from "./model-reply.ts";
import { citePages } from "./quote-passages.ts";

/**
 * Used when the workspace sets none (wire-contract 4.7); providers drop it for models that reject
 * it.
 */
export const defaultTemperature = 0.7;
/**
 * How much full text to read: the window's tokens at this many characters each, up to a maximum.
 */
const charactersPerToken = 5;
const maximumCharacters = 4_000_000;
/** Share of the window used for a retry after the provider rejected the prompt as too long. */
const retryShare = 0.65;

interface Attempt {
  window: number;
  withImages: boolean;
}
export interface FittedPrompt extends Prompt {
  /** Maximum length of the answer; null if that's up to the model. */
  maxTokens: number | null;
  /** o200k tokens; null if they weren't counted. */
  tokens: number | null;
  /** Earlier turns in the messages: the last ones of the history. */
  turnCount: number;
  imageCount: number;
  /** Whether the window has no room for much of what was found, pinned or attached. */
  lacksSources: boolean;
}

/** Has a language model write the answer, in one reply. */
export class ModelAnswerer implements Answerer {
  readonly model: string;
  readonly usesMemories = true;
  readonly looksUpItself?: true;
  readonly overview = { documents: 20, passages: 2, isBroad: true };

  constructor(
    readonly provider: string,
    protected readonly languageModel: LanguageModel,
    protected readonly factors: TokenFactors,
    private readonly fitter: PromptFitter,
    private readonly materials: AnswerMaterials,
  ) {
    this.model = languageModel.model;
  }

  /** A getter, because the model's server may report its window only when it is asked. */
  get fullTextLimit(): number {
    return Math.min(
      maximumCharacters,
      this.factors.windowOf(this.languageModel) * charactersPerToken,
    );
  }

  /**
   * A search for "the main points" would find the points of one or two documents. "Summarize that"
   * is about the conversation, which the model sees.
   */
  wantsOverview(question: string, isFollowUp: boolean): boolean {
    return !isFollowUp && readSummaryRequest(question)?.length === 0;
  }

  /**
   * Retries once with a smaller prompt if the provider rejects it as too long, and once without
   * images if it rejects those; both only before the first text.
   */
  async answer(task: AnswerTask): Promise<"answered"> {
    if (task.isOverview) notifyCoverage(task, task.passages);
    const material = await this.materials.collect(task);
    task.signal.throwIfAborted();
    await this.languageModel.prepare?.(task.signal);
    await requireTools(this.languageModel, task.tools, task.signal);
    let withImages =
      material.images.length > 0 || material.turns.some((turn) => turn.images.length > 0);
    if (withImages && (await this.languageModel.supportsImages(task.signal)) === false) {
      withImages = false;
      this.notifyImagesNotSeen(task, material);
    }
    let window = this.factors.windowOf(this.languageModel);
    for (let attempt = 1; ; attempt += 1) {
      let hasText = false;
      try {
        const prompt = await this.fit(task, material, { window, withImages });
        await this.write(task, prompt, () => {
          // From here on it's this attempt, and this model, that answers.
          if (!hasText && prompt.lacksSources) this.notifySourcesCut(task);
          hasText = true;
        });
        return "answered";
      } catch (error) {
        if (!(error instanceof ProviderError) || hasText || attempt > 2) throw error;
        if (error.kind === "context-length" && attempt === 1) {
          this.factors.noteTooLong(this.languageModel, error.contextLimit);
          window = Math.floor(Math.min(window, error.contextLimit ?? window) * retryShare);
        } else if (withImages && rejectsImages(error)) {
          withImages = false;
          this.notifyImagesNotSeen(task, material);
        } else throw error;
      }
    }
  }

  /** Only reports images of this question: earlier ones were reported when they were sent. */
  private notifyImagesNotSeen({ draft, output }: AnswerTask, { images }: AnswerMaterial): void {
    if (images.length > 0)
      draft.notify(output, { code: "notice.images-not-seen", params: { model: this.model } });
  }

  /** Agents can look up the rest, and overviews say how many documents they cover. */
  private notifySourcesCut({ draft, output, isOverview }: AnswerTask): void {
    if (this.looksUpItself || isOverview) return;
    draft.notify(output, { code: "notice.sources-cut", params: { model: this.model } });
  }

  private async fit(
    task: AnswerTask,
    material: AnswerMaterial,
    { window, withImages }: Attempt,
  ): Promise<FittedPrompt> {
    const { draft, memories } = task;
    const { fullTexts, passages, turns } = material;
    const factor = this.factors.factorOf(this.languageModel);
    const imageCount = withImages
      ? material.images.length + turns.reduce((sum, turn) => sum + turn.images.length, 0)
      : 0;
    const imageTokens = imageCount * tokensPerImage;
    const parts: PromptParts = {
      instructions: task.systemPrompt,
      memories: memories.map(({ content }) => content),
      fullTexts: fullTexts.map(({ text }) => text),
      contextTexts: passages.map(({ text }) => text),
      question: task.question,
      history: turns.map(({ question, answer }) => ({ question, answer })),
    };
    const maxTokens = this.limitAnswer(task, window);
    const answerTokens = maxTokens ?? this.languageModel.answerTokens;
    const space = this.promptSpace(window, task);
    const budget = promptBudget({ window: space, answerTokens, imageTokens, factor });
    const fitted = await this.fitter.fit(parts, budget, task.signal);
    const pieces = [
      ...fullTexts.slice(0, fitted.fullTexts.length),
      ...passages.slice(0, fitted.contextTexts.length),
    ];
    // Shown sources come first, so that a block's number matches its source; marks that refer to
    // backfill are dropped.
    draft.setSources(pieces.flatMap(({ source }) => (source === null ? [] : [source])));
    draft.usedMemories = memories.slice(0, fitted.memories.length).map(({ id }) => id);
    draft.notes.prompt = {
      contextWindow: window,
      instructions: fitted.instructions,
      memories: fitted.memories,
      question: fitted.question,
      history: fitted.history,
      turnsGiven: turns.length,
      fullTexts: fitted.fullTexts,
      contextTexts: fitted.contextTexts,
      imageTokens,
      counted: fitted.tokens,
      factor,
      isCut: isCut(parts, fitted),
    };
    const keptTurns = fitted.history.length === 0 ? [] : turns.slice(-fitted.history.length);
    const prompt = buildPrompt({
      systemPrompt: fitted.instructions,
      memories: fitted.memories,
      contextTexts: [...fitted.fullTexts, ...fitted.contextTexts],
      question: fitted.question,
      images: withImages ? material.images : [],
      history: withImages ? keptTurns : keptTurns.map((turn) => ({ ...turn, images: [] })),
    });
    prompt.messages.push(...buildToolMessages(task.tools));
    draft.promptText = [prompt.system, ...prompt.messages.map(messageText)].join("\n");
    return {
      ...prompt,
      tokens: fitted.tokens,
      turnCount: keptTurns.length,
      imageCount,
      maxTokens,
      // Passages of earlier answers only fill what room there is.
      lacksSources: lacksSources(parts, fitted, passages.filter(({ source }) => source).length),
    };
  }

  /** How much of the window the prompt may take, with the answer. */
  protected promptSpace(window: number, { tools }: AnswerTask): number {
    return Math.max(window / 2, window - countToolTokens(tools));
  }

  /** The wanted length, limited to what fits: vendors refuse requests for more. */
  private limitAnswer(task: AnswerTask, window: number): number | null {
    const maxTokens = task.maxTokens ?? task.parameters.maxTokens;
    if (maxTokens == null) return null;
    return Math.min(maxTokens, this.languageModel.answerTokens ?? Math.floor(window / 2));
  }

  /** Throws provider errors; they can be repeated until `onText` is called. */
  protected async write(
    task: AnswerTask,
    { system, messages, tokens, imageCount, maxTokens }: FittedPrompt,
    onText: () => void,
  ): Promise<void> {
    const { draft, output, passages, signal, workspace, tools, outputFormat } = task;
    const reply = await readReply({
      model: this.languageModel,
      draft,
      output,
      onText,
      call: {
        system,
        messages,
        temperature: workspace.openAiTemp ?? defaultTemperature,
        topP: task.parameters.topP,
        effort: task.parameters.effort,
        signal,
        paceMs: output.batchMs,
        onQueue: (ahead) => output.showQueue(ahead),
        ...buildToolCall(tools),
        ...(outputFormat !== null && { output: outputFormat }),
        ...(maxTokens !== null && { maxTokens }),
      },
    });
    const { reason, usage, hasAnswer } = reply;
    draft.usage = usage;
    draft.isCut = reason === "length";
    draft.toolCalls.push(...reply.calls.map(({ id, name, input }) => ({ id, name, input })));
    // Short prompts aren't counted; the current factor is accurate enough for them.
    if (tokens !== null && imageCount === 0 && usage !== null && !usesTools(tools))
      this.factors.learn(this.languageModel, tokens, usage.inputTokens);
    citeAnswer(draft, passages);
    const { provider } = this.languageModel;
    endAnswer(task, { hasAnswer, reason, provider, isLimited: task.maxTokens !== null });
  }
}

/** Names the pages that the finished answer cites. */
export function citeAnswer(draft: AnswerDraft, passages: readonly Passage[]): void {
  const { answer } = splitSpans(draft.text.toString(), draft.text.listReasoning());
  draft.setSources(citePages(draft.sources, passages, answer));
}

/**
 * Tells the user if the model stopped before it was finished; throws if it wrote no answer.
 *
 * @param hasAnswer whether it wrote more than reasoning
 * @param provider id of the provider that answered
 * @param isLimited whether the client limited the answer's length
 */
export function endAnswer(
  { draft, output, tools }: AnswerTask,
  o: { hasAnswer: boolean; reason: FinishReason; provider: string; isLimited: boolean },
): void {
  // A model may call tools that nobody offered: nothing could answer its calls.
  const unwanted = usesTools(tools) ? [] : draft.toolCalls.splice(0);
  // A client's limit may leave room for reasoning only.
  if (draft.isCut && o.isLimited) return;
  if (!o.hasAnswer && draft.toolCalls.length === 0 && !isCutReasoning(draft))
    throw new CarrelError(...whyEmpty(o, unwanted));
  const notice = draft.isCut
    ? cut
    : (notices[o.reason] ?? (unwanted.length > 0 ? unfinished : null));
  if (notice !== null) draft.notify(output, notice);
}

/** The length limit was reached while the model was thinking. */
const isCutReasoning = ({ isCut, text }: AnswerTask["draft"]): boolean => isCut && text.length > 0;

const cut: KnownFault = { code: "notice.answer-cut" };
const unfinished: KnownFault = { code: "notice.answer-unfinished" };
const notices: Partial<Record<FinishReason, KnownFault>> = {
  "content-filter": { code: "notice.answer-filtered" },
  incomplete: unfinished,
};

type Fault = ConstructorParameters<typeof CarrelError>;

function whyEmpty(
  { reason, provider: id }: { reason: FinishReason; provider: string },
  calls: readonly ToolCall[],
): Fault {
  const provider = providerName(id);
  if (reason === "content-filter") return ["generation.filtered", { provider }];
  if (calls.length > 0) {
    const tools = [...new Set(calls.map(({ name }) => `“${name}”`))].join(", ");
    return ["generation.only-tool-calls", { provider, tools }];
  }
  if (reason === "incomplete") return ["generation.stopped-short", { provider }];
  return ["generation.empty", { provider }];
}

/** OpenRouter answers 404, llama.cpp 500 with "mmproj", others 400 or 415. */
const rejectsImages = (error: ProviderError): boolean =>
  error.kind === "invalid" ||
  ((error.kind === "not-found" || error.kind === "server") &&
    /image|vision|multimodal|mmproj/i.test(error.message));
