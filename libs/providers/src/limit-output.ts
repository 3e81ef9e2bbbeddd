import type { LanguageModel } from "./spec/language-model.ts";

/** A model whose requests ask for at most this many tokens, and for that many by default. */
export const limitOutput = (model: LanguageModel, limit: number): LanguageModel => ({
  provider: model.provider,
  model: model.model,
  get contextWindow() {
    return model.contextWindow;
  },
  answerTokens: limit,
  parameters: model.parameters,
  ...(model.prepare && { prepare: (signal: AbortSignal) => model.prepare!(signal) }),
  supportsImages: (signal) => model.supportsImages(signal),
  supportsTools: (signal) => model.supportsTools(signal),
  stream: (call) => model.stream({ ...call, maxTokens: Math.min(call.maxTokens ?? limit, limit) }),
});
