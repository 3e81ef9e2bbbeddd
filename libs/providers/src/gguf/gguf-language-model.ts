import type { ChatHistoryItem, ChatModelFunctionCall, ChatModelResponse } from "node-llama-cpp";
import { PartQueue } from "../http/run-stream.ts";
import type { LanguageModel, LanguageModelCall, ModelParameters } from "../spec/language-model.ts";
import { contentParts, messageText, requireNoFiles, type ModelMessage } from "../spec/message.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import type { ModelFacts } from "../vendors/vendor.ts";
import { largestContext } from "./gguf-memory.ts";
import type { GgufEvent } from "./gguf-process.ts";
import type { GgufFunction, GgufRequest } from "./gguf-protocol.ts";
import { findGgufModel, ggufQueue, type GgufChoice } from "./gguf-queue.ts";

const longestAnswer = 2_048;
const vendor = { name: "Local models" };

function convertAssistant(
  message: Extract<ModelMessage, { role: "assistant" }>,
  response: ChatModelResponse["response"],
  calls: Map<string, ChatModelFunctionCall>,
): void {
  for (const part of contentParts(message.content))
    switch (part.type) {
      case "text":
        response.push(part.text);
        break;
      case "reasoning":
        response.push({ type: "segment", segmentType: "thought", text: part.text, ended: true });
        break;
      case "tool-call": {
        const call: ChatModelFunctionCall = {
          type: "functionCall",
          name: part.name,
          params: part.input,
          result: "",
          startsNewChunk: response.at(-1) === undefined || !isCall(response.at(-1)),
        };
        calls.set(part.id, call);
        response.push(call);
      }
    }
}
const isCall = (item: ChatModelResponse["response"][number] | undefined): boolean =>
  typeof item === "object" && item.type === "functionCall";

/** Calls and what follows their results are one answer; the last item is the one to continue. */
function convertMessages({ system, messages }: LanguageModelCall): ChatHistoryItem[] {
  const history: ChatHistoryItem[] = system === "" ? [] : [{ type: "system", text: system }];
  const calls = new Map<string, ChatModelFunctionCall>();
  let response: ChatModelResponse["response"] | null = null;
  const respond = (): ChatModelResponse["response"] => {
    if (response === null) history.push({ type: "model", response: (response = []) });
    return response;
  };
  for (const message of messages)
    switch (message.role) {
      case "user":
        history.push({ type: "user", text: messageText(message) });
        response = null;
        break;
      case "assistant":
        convertAssistant(message, respond(), calls);
        break;
      case "tool":
        for (const { id, output } of message.content) {
          const call = calls.get(id);
          if (call) call.result = output;
        }
    }
  respond();
  return history;
}

function offeredFunctions({ tools = [], toolChoice = "auto" }: LanguageModelCall): GgufFunction[] {
  if (toolChoice === "none") return [];
  return tools
    .filter(({ name }) => typeof toolChoice === "string" || name === toolChoice.tool)
    .map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema }));
}

function buildRequest(call: LanguageModelCall): GgufRequest {
  requireNoFiles(vendor, call.messages);
  const functions = offeredFunctions(call);
  const { toolChoice = "auto" } = call;
  return {
    history: convertMessages(call),
    temperature: call.temperature,
    topP: call.topP ?? null,
    maxTokens: call.maxTokens ?? null,
    functions,
    mustCall: functions.length > 0 && (toolChoice === "required" || typeof toolChoice === "object"),
    parallelCalls: call.parallelToolCalls !== false,
    schema: call.output?.schema ?? null,
  };
}

/** Converts what the process reports; throws ProviderError for a failed answer. */
class EventReader {
  private readonly calls = new Map<number, { id: string; input: string }>();
  constructor(private readonly parts: PartQueue) {}

  read(event: GgufEvent): void {
    const { parts } = this;
    switch (event.type) {
      case "text":
        return parts.addText("text-delta", event.text);
      case "reasoning":
        return parts.addText("reasoning-delta", event.text);
      case "call":
        return this.readCall(event);
      case "done": {
        const { promptTokens, cachedTokens, answerTokens, reasoningTokens } = event.figures;
        return parts.add({
          type: "finish",
          reason: event.reason,
          usage: {
            inputTokens: promptTokens,
            outputTokens: answerTokens,
            cachedInputTokens: cachedTokens,
            reasoningTokens,
          },
        });
      }
      case "too-long":
        throw new ProviderError(
          { code: "provider.prompt-too-long", params: { said: "" } },
          { kind: "context-length", contextLimit: event.limit },
        );
      case "failed":
        throw new ProviderError(
          { code: "local-model.failed", params: { details: event.details } },
          { kind: "server" },
        );
      case "stopped":
    }
  }

  private readCall(event: Extract<GgufEvent, { type: "call" }>): void {
    let call = this.calls.get(event.index);
    if (call === undefined) {
      call = { id: `call_${crypto.randomUUID()}`, input: "" };
      this.calls.set(event.index, call);
      this.parts.add({ type: "tool-call-start", id: call.id, name: event.name });
    }
    if (event.text !== "") {
      call.input += event.text;
      this.parts.add({ type: "tool-call-delta", id: call.id, text: event.text });
    }
    if (!event.done) return;
    // Grammars end with blank lines.
    const input = call.input.trim() || "{}";
    this.parts.add({ type: "tool-call-end", id: call.id, name: event.name, input });
  }
}

const cancelled = (cause: unknown): ProviderError =>
  new ProviderError({ code: "provider.cancelled" }, { kind: "aborted", cause });

/** A GGUF file of the models folder, run by llama.cpp in a separate process. */
export class GgufLanguageModel implements LanguageModel {
  readonly provider = "local-gguf";
  readonly model: string;
  readonly parameters: ModelParameters = { temperature: true, topP: true, effort: false };
  contextWindow: number;
  constructor(
    private readonly choice: GgufChoice,
    private readonly facts: ModelFacts = {},
  ) {
    this.model = choice.file;
    this.contextWindow = choice.contextLimit ?? largestContext / 4;
  }

  /** Small models may repeat themselves until the context is full, while others wait. */
  get answerTokens(): number {
    return Math.min(longestAnswer, Math.floor(this.contextWindow / 4));
  }

  /** Finds the context that fits into memory. */
  async prepare(): Promise<void> {
    try {
      const plan = ggufQueue.planContext(this.choice, await findGgufModel(this.choice));
      if (plan !== null) this.contextWindow = plan.context;
    } catch {
      // The question will report it.
    }
  }

  supportsImages(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** A grammar makes any model's calls valid. */
  supportsTools(): Promise<boolean> {
    return Promise.resolve(this.facts.tools ?? true);
  }

  async *stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { signal } = call;
    if (signal.aborted) throw cancelled(signal.reason);
    const request = buildRequest({ ...call, maxTokens: call.maxTokens ?? this.answerTokens });
    const parts = new PartQueue(call.paceMs !== undefined);
    const reader = new EventReader(parts);
    const left = new AbortController();
    let wake: () => void = () => undefined;
    let end: { fault: unknown } | null = null;
    const finish = (fault: unknown): void => {
      end ??= { fault };
      wake();
    };
    const onAbort = (): void => finish(cancelled(signal.reason));
    signal.addEventListener("abort", onAbort, { once: true });
    ggufQueue
      .answer(this.choice, request, {
        signal: AbortSignal.any([signal, left.signal]),
        onQueue: call.onQueue,
        onEvent: (event) => {
          try {
            reader.read(event);
          } catch (fault) {
            finish(fault);
          }
          wake();
        },
      })
      .then(() => finish(null), finish);
    try {
      for (let pause = 0; ; pause = call.paceMs ?? 0) {
        if (end === null && parts.isEmpty) await new Promise<void>((resolve) => (wake = resolve));
        if (end === null && pause > 0) await delay(pause, signal);
        const ended = end as { fault: unknown } | null;
        if (ended !== null) parts.flush();
        if (!signal.aborted) yield* parts.take();
        if (ended === null) continue;
        if (ended.fault !== null) throw ended.fault;
        return;
      }
    } finally {
      left.abort();
      signal.removeEventListener("abort", onAbort);
    }
  }
}

const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
  });
