import type { StreamPart } from "./stream-part.ts";

export interface ImagePart {
  /** e.g. image/png */ mime: string;
  /** without a data: prefix */ base64: string;
}

export interface ModelMessage {
  role: "user" | "assistant";
  content: string;
  images?: ImagePart[];
}

export interface LanguageModelCall {
  system: string;
  messages: ModelMessage[];
  /** null: the vendor's own default (some models refuse any other). */
  temperature: number | null;
  /** Most tokens of the answer; without it the provider's setting or the vendor's default holds. */
  maxTokens?: number;
  signal: AbortSignal;
}

/**
 * A model that writes. `stream` throws ProviderError only, before the first part or in the middle.
 */
export interface LanguageModel {
  readonly provider: string;
  readonly model: string;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  /**
   * Tokens of the window that the server sets aside for the answer, where it is asked for that
   * many; null: it does not.
   */
  readonly answerTokens: number | null;
  /** Whether it takes images; null where only a try can tell. Never throws. */
  seesImages(signal: AbortSignal): Promise<boolean | null>;
  stream(call: LanguageModelCall): AsyncIterable<StreamPart>;
}

/** One row of a provider's model list, wire-contract 11.1. */
export interface ListedModel {
  id: string;
  name?: string;
  organization?: string;
  contextWindow?: number;
  /** Of the native embedder's models. */
  description?: string;
  lang?: string;
  size?: string;
  modelCard?: string;
}
