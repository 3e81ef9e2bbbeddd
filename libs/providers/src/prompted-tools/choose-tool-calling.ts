import type { LanguageModel, LanguageModelCall } from "../spec/language-model.ts";
import { ProviderError } from "../spec/provider-error.ts";
import type { StreamPart } from "../spec/stream-part.ts";
import { withPromptedTools, withToolCalling, withWrittenCalls } from "./with-prompted-tools.ts";

/**
 * Providers whose own tool calling isn't used: all of them, or these ids
 * (`PROVIDER_DISABLE_NATIVE_TOOL_CALLING`, wire-contract.md 5.1).
 */
export type WithoutNativeTools = true | readonly string[];

/**
 * What servers say to requests with tools that they can't serve: Ollama ("does not support tools"),
 * vLLM ('"auto" tool choice requires …'), llama.cpp ("tools param requires --jinja flag") and
 * OpenRouter ("No endpoints found that support tool use").
 */
const refusesTools = /\btools?\b|\bfunction.?call/i;

/** Models that refused tools, so that they are asked only once per process. */
const refusing = new WeakSet<LanguageModel>();

/** The model with its own tools; if it refuses them, with described ones from then on. */
function withFallback(model: LanguageModel): LanguageModel {
  const own = withWrittenCalls(model);
  const prompted = withPromptedTools(model);
  async function* stream(call: LanguageModelCall): AsyncIterable<StreamPart> {
    const { tools = [] } = call;
    if (tools.length === 0) return yield* model.stream(call);
    if (refusing.has(model)) return yield* prompted.stream(call);
    let hasBegun = false;
    try {
      for await (const part of own.stream(call)) {
        hasBegun = true;
        yield part;
      }
    } catch (fault) {
      const isRefused =
        fault instanceof ProviderError &&
        !hasBegun &&
        (fault.kind === "invalid" || fault.kind === "not-found") &&
        refusesTools.test(fault.message);
      if (!isRefused) throw fault;
      refusing.add(model);
      yield* prompted.stream(call);
    }
  }
  return withToolCalling(model, {
    supportsTools: (signal) => model.supportsTools(signal),
    stream,
  });
}

/** Whether a model's own tool calling is used; null if only a request can tell. */
export async function callsToolsNatively(
  model: LanguageModel,
  { disabled, signal }: { disabled: WithoutNativeTools; signal: AbortSignal },
): Promise<boolean | null> {
  if (disabled === true || disabled.includes(model.provider)) return false;
  return model.supportsTools(signal);
}

/**
 * The model to call tools with: with its own if it supports them, otherwise with tools described in
 * its prompt. Where only a request can tell, it starts with its own and changes when it refuses.
 */
export async function chooseToolCalling(
  model: LanguageModel,
  options: { disabled: WithoutNativeTools; signal: AbortSignal },
): Promise<LanguageModel> {
  const supports = await callsToolsNatively(model, options);
  if (supports === false) return withPromptedTools(model);
  return supports === true ? withWrittenCalls(model) : withFallback(model);
}
