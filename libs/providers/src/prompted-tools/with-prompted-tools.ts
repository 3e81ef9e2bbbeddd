import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import type { FinishReason, StreamPart, Usage } from "../spec/stream-part.ts";
import type { WrittenCall } from "./call-object.ts";
import { CallScanner } from "./call-scanner.ts";
import { describeTools, offeredTools, renderMessages } from "./describe-tools.ts";
import { ToolNames } from "./tool-names.ts";
import { findReasonedCalls, newCallId, withoutRepeats } from "./written-calls.ts";

/** Reasons after which the text is incomplete, so that an unfinished call must not run. */
const cutReasons: ReadonlySet<FinishReason> = new Set(["length", "incomplete", "content-filter"]);

/** One answer whose calls are separated from its text. */
class PromptedAnswer {
  hasNativeCalls = false;
  private parts: StreamPart[] = [];
  private calls: WrittenCall[] = [];
  private text = "";
  private reasoning = "";
  private scanner: CallScanner;

  constructor(
    private readonly names: ToolNames,
    private readonly call: LanguageModelCall,
    /** Whether the model was offered the tools as its own. */
    private readonly hasOwnTools: boolean,
  ) {
    this.scanner = this.newScanner();
  }

  /** Whether nothing of use follows: the model goes on with results that it made up. */
  get isOver(): boolean {
    return this.scanner.isOver;
  }

  /** Reads a part of the model's answer, except the last. */
  read(part: StreamPart): void {
    if (part.type === "text-delta") return this.scanner.push(part.text);
    if (part.type === "reasoning-delta") this.reasoning += part.text;
    if (part.type === "tool-call-start") this.hasNativeCalls = true;
    if (part.type === "text-was-reasoning") {
      this.reasoning = this.text + this.reasoning;
      this.text = "";
      this.calls = [];
      this.scanner = this.newScanner();
    }
    this.parts.push(part);
  }

  take(): StreamPart[] {
    const taken = this.parts;
    this.parts = [];
    return taken;
  }

  /** Adds what was held back, the calls and the finish. */
  finish(reason: FinishReason, usage: Usage | null): void {
    this.scanner.end(cutReasons.has(reason));
    const calls = this.choose();
    for (const { name, input } of calls) {
      const id = newCallId();
      this.parts.push({ type: "tool-call-start", id, name });
      this.parts.push({ type: "tool-call-delta", id, text: input });
      this.parts.push({ type: "tool-call-end", id, name, input });
    }
    const isCall = calls.length > 0 || this.hasNativeCalls;
    this.parts.push({
      type: "finish",
      reason: isCall && !cutReasons.has(reason) ? "tool-calls" : reason,
      usage,
    });
  }

  /** Adds what was held back, after a fault. */
  flush(): void {
    this.scanner.end(true);
  }

  private choose(): WrittenCall[] {
    if (this.call.toolChoice === "none") return [];
    const { calls, reasoning, text, names, hasNativeCalls } = this;
    // A model that calls its tools may write the same calls beside that.
    if (hasNativeCalls && this.hasOwnTools) return [];
    const written =
      calls.length > 0 || hasNativeCalls ? calls : findReasonedCalls(reasoning, text, names);
    const made = withoutRepeats(written);
    return this.call.parallelToolCalls === false ? made.slice(0, 1) : made;
  }

  private newScanner(): CallScanner {
    return new CallScanner(this.names, {
      text: (text) => {
        this.text += text;
        this.parts.push({ type: "text-delta", text });
      },
      call: (call) => this.calls.push(call),
    });
  }
}

function streamPrompted(model: LanguageModel, call: LanguageModelCall): AsyncIterable<StreamPart> {
  const { toolChoice: _choice, parallelToolCalls: _parallel, ...rest } = call;
  const messages = renderMessages(call.messages);
  if (offeredTools(call).length === 0) return model.stream({ ...omitTools(rest), messages });
  const prompted = { ...omitTools(rest), system: describeTools(call), messages };
  return separateCalls(model.stream(prompted), call, false);
}

const streamOwn = (model: LanguageModel, call: LanguageModelCall): AsyncIterable<StreamPart> =>
  offeredTools(call).length === 0
    ? model.stream(call)
    : separateCalls(model.stream(call), call, true);

async function* separateCalls(
  parts: AsyncIterable<StreamPart>,
  call: LanguageModelCall,
  hasOwnTools: boolean,
): AsyncIterable<StreamPart> {
  const answer = new PromptedAnswer(new ToolNames(call.tools ?? []), call, hasOwnTools);
  try {
    for await (const part of parts) {
      if (part.type === "finish") answer.finish(part.reason, part.usage);
      else answer.read(part);
      // Ends the request, so the model's own count never comes.
      if (answer.isOver && part.type !== "finish") answer.finish("stop", null);
      yield* answer.take();
      if (answer.isOver) return;
    }
  } catch (fault) {
    answer.flush();
    yield* answer.take();
    throw fault;
  }
}

function omitTools<Call extends Partial<LanguageModelCall>>(call: Call): Omit<Call, "tools"> {
  const { tools: _tools, ...rest } = call;
  return rest;
}

/** The model with another way to call tools. */
export const withToolCalling = (
  model: LanguageModel,
  calling: Pick<LanguageModel, "supportsTools" | "stream">,
): LanguageModel => ({
  provider: model.provider,
  model: model.model,
  get contextWindow() {
    return model.contextWindow;
  },
  answerTokens: model.answerTokens,
  get parameters() {
    return model.parameters;
  },
  ...(model.prepare && { prepare: (signal: AbortSignal) => model.prepare!(signal) }),
  supportsImages: (signal) => model.supportsImages(signal),
  ...calling,
});

/**
 * The model, with tools described in its prompt and calls read from its text, for models and
 * servers without tool calling. Calls come after the text, just before the finish. What the model
 * thinks or says about calls isn't one; arguments are repaired and fitted to the schema, but
 * callers must still validate them.
 */
export const withPromptedTools = (model: LanguageModel): LanguageModel =>
  withToolCalling(model, {
    supportsTools: () => Promise.resolve(true),
    stream: (call) => streamPrompted(model, call),
  });

/**
 * The model with its own tools. Calls that it writes as text all the same are made, too, and are
 * never part of the text, so that nobody sees what would have to be withdrawn.
 */
export const withWrittenCalls = (model: LanguageModel): LanguageModel =>
  withToolCalling(model, {
    supportsTools: (signal) => model.supportsTools(signal),
    stream: (call) => streamOwn(model, call),
  });
