import type { SourceWire } from "@carrel/contracts";
import { CarrelError } from "@carrel/contracts";
import { ProviderError, type ImagePart, type LanguageModel } from "@carrel/providers";
import type { PromptMemory } from "../memory/memory.repository.ts";
import { blindNotice, tokensOfImage } from "../attachment/attachment-images.ts";
import { buildPrompt, stripThoughts, type PromptTurn } from "../prompt/build-prompt.ts";
import { answerReserve, type FittedParts } from "../prompt/fit-context-window.ts";
import { sourcesFrame, stageFrame } from "../generation/frames.ts";
import type { RunnableGeneration } from "../generation/generation.repository.ts";
import type { RunDependencies, RunOutput, RunState } from "../generation/run-generation.ts";

/** The answer outgrew what a stream may hold. */
export class AnswerTooLongError extends Error {
  override readonly name = "AnswerTooLongError";
}

/**
 * A text for the prompt's context; `source` null: it fills up the context and is not shown
 * (wire-contract 4.7, backfill).
 */
export interface ContextPiece {
  text: string;
  source: SourceWire | null;
}

export interface AnswerTask {
  generation: RunnableGeneration;
  state: RunState;
  output: RunOutput;
  signal: AbortSignal;
  systemPrompt: string;
  /** Of the person who asks, the most important first. */ memories: PromptMemory[];
  /** As the model gets it. */ question: string;
  temperature: number | null;
  fullTexts: ContextPiece[];
  /** The best first, those that only fill up last. */ passages: ContextPiece[];
  turns: PromptTurn[];
  images: ImagePart[];
}

/** Of the window, for a second try after the provider refused the prompt as too long. */
const secondTry = 0.65;

/**
 * The model's answer into output and state. A prompt that the provider refuses as too long is tried
 * once more with less,
 * one with images that it refuses without them; both only while nothing was sent.
 */
export async function writeAnswer(
  d: RunDependencies,
  model: LanguageModel,
  task: AnswerTask,
): Promise<void> {
  let withImages = task.images.length > 0 || task.turns.some((turn) => turn.images.length > 0);
  if (withImages && (await model.seesImages(task.signal)) === false) {
    withImages = false;
    tellBlind(model, task);
  }
  let window = d.factors.windowOf(model);
  for (let attempt = 1; ; attempt += 1) {
    const begun = { writing: false };
    try {
      return await writeOnce(d, model, task, { window, withImages, begun });
    } catch (error) {
      if (!(error instanceof ProviderError) || begun.writing || attempt > 2) throw error;
      if (error.kind === "context-length" && attempt === 1) {
        d.factors.noteTooLong(model, error.contextLimit);
        window = Math.floor(Math.min(window, error.contextLimit ?? window) * secondTry);
      } else if (withImages && refusesImages(error)) {
        withImages = false;
        tellBlind(model, task);
      } else throw error;
    }
  }
}

/**
 * Servers say it in many ways: OpenRouter with 404, llama.cpp with 500 and "mmproj", others with
 * 400 or 415.
 */
const refusesImages = (error: ProviderError): boolean =>
  error.kind === "invalid" ||
  ((error.kind === "not-found" || error.kind === "server") &&
    /image|vision|multimodal|mmproj/i.test(error.message));

/** Only what came with this question is worth a word: earlier images had theirs. */
function tellBlind(model: LanguageModel, { state, output, generation, images }: AnswerTask): void {
  if (images.length > 0) state.tell(generation.id, output, blindNotice(model.model, images.length));
}

async function writeOnce(
  d: RunDependencies,
  model: LanguageModel,
  task: AnswerTask,
  o: { window: number; withImages: boolean; begun: { writing: boolean } },
): Promise<void> {
  const { state, output, signal } = task;
  const factor = d.factors.factorOf(model);
  const imageCount = o.withImages
    ? task.images.length + task.turns.reduce((sum, turn) => sum + turn.images.length, 0)
    : 0;
  // What the server sets aside for the answer, and images, at most half of the window each; the
  // rest in tokens of o200k.
  const reserve = Math.max(
    answerReserve,
    Math.min(model.answerTokens ?? 0, Math.floor(o.window / 2)),
  );
  const forImages = Math.min(imageCount * tokensOfImage, Math.floor(o.window / 4));
  const fitted = await d.fitter.fit(
    {
      instructions: task.systemPrompt,
      memories: task.memories.map(({ content }) => content),
      fullTexts: task.fullTexts.map(({ text }) => text),
      contextTexts: task.passages.map(({ text }) => text),
      question: task.question,
      history: task.turns.map(({ question, answer }) => ({
        question,
        answer: stripThoughts(answer),
      })),
    },
    Math.floor((o.window - reserve - forImages) / factor) + answerReserve,
    signal,
  );
  const pieces = [
    ...task.fullTexts.slice(0, fitted.fullTexts.length),
    ...task.passages.slice(0, fitted.contextTexts.length),
  ];
  // Those that are shown come first, so the number of a block is the number of its source; marks to
  // the others point nowhere and are dropped.
  state.keepSources(pieces.flatMap(({ source }) => (source === null ? [] : [source])));
  state.usedMemories = task.memories.slice(0, fitted.memories.length).map(({ id }) => id);
  state.notes.prompt = {
    contextWindow: o.window,
    instructions: fitted.instructions,
    memories: fitted.memories,
    question: fitted.question,
    history: fitted.history,
    turnsGiven: task.turns.length,
    fullTexts: fitted.fullTexts,
    contextTexts: fitted.contextTexts,
    imageTokens: imageCount * tokensOfImage,
    counted: fitted.tokens,
    factor,
    isCut: isCut(task, fitted),
  };
  const keptTurns = fitted.history.length === 0 ? [] : task.turns.slice(-fitted.history.length);
  const prompt = buildPrompt({
    systemPrompt: fitted.instructions,
    memories: fitted.memories,
    contextTexts: [...fitted.fullTexts, ...fitted.contextTexts],
    question: fitted.question,
    images: o.withImages ? task.images : [],
    history: o.withImages ? keptTurns : keptTurns.map((turn) => ({ ...turn, images: [] })),
  });
  state.promptText = [prompt.system, ...prompt.messages.map((message) => message.content)].join(
    "\n",
  );

  for await (const part of model.stream({
    system: prompt.system,
    messages: prompt.messages,
    temperature: task.temperature,
    signal,
  })) {
    if (part.type === "finish") {
      state.usage = part.usage;
      learnFactor(d, model, fitted, imageCount, part.usage?.inputTokens);
      break;
    }
    if (!o.begun.writing) {
      o.begun.writing = true;
      if (state.sources.length > 0) output.send(sourcesFrame(state.sources));
      output.send(stageFrame("writing"));
    }
    const shown =
      part.type === "reasoning-delta"
        ? state.text.pushReasoning(part.text)
        : state.text.pushText(part.text);
    if (shown !== "") output.sendText(shown);
    if (output.isFull) throw new AnswerTooLongError();
    signal.throwIfAborted();
  }
  const rest = state.text.end();
  if (rest !== "") output.sendText(rest);
  if (state.text.length === 0)
    throw new CarrelError("PROVIDER_FAILED", `${model.provider} ended without writing anything.`);
}

/** Only prompts that were counted anyway teach: for short ones a guess is enough. */
function learnFactor(
  d: RunDependencies,
  model: LanguageModel,
  fitted: FittedParts,
  imageCount: number,
  reported: number | undefined,
): void {
  if (fitted.tokens !== null && imageCount === 0 && reported !== undefined)
    d.factors.learn(model, fitted.tokens, reported);
}

/** Whether something did not fit. */
export const isCut = (
  whole: Pick<
    AnswerTask,
    "fullTexts" | "memories" | "passages" | "turns" | "question" | "systemPrompt"
  >,
  fitted: FittedParts,
): boolean =>
  fitted.fullTexts.length < whole.fullTexts.length ||
  fitted.memories.length < whole.memories.length ||
  fitted.contextTexts.length < whole.passages.length ||
  fitted.history.length < whole.turns.length ||
  fitted.question !== whole.question ||
  fitted.instructions !== whole.systemPrompt ||
  fitted.fullTexts.some((text, index) => text !== whole.fullTexts[index]!.text) ||
  fitted.contextTexts.some((text, index) => text !== whole.passages[index]!.text);
