import type { Refusal } from "../http/post-json.ts";

export interface EmbeddingRequest {
  model: string;
  texts: readonly string[];
  kind: "passage" | "query";
  /** Undefined: the model's own length. */
  dimensions: number | undefined;
}

/** Vectors as sent: lists of numbers or base64, one per text, in order. */
export interface EmbeddingReply {
  vectors: readonly unknown[];
  /** null if the vendor doesn't count them. */
  tokens: number | null;
}

/**
 * How a vendor takes texts and returns vectors. It may cut off questions that are too long, but
 * never passages: the caller splits passages that are refused.
 */
export interface EmbeddingProtocol {
  /** Below the base URL. */
  path(model: string): string;
  headers(apiKey: string | undefined): Record<string, string>;
  body(request: EmbeddingRequest): object;
  /** null for a reply in another format. */
  read(reply: unknown): EmbeddingReply | null;
  refuse: Refusal;
}

export const bearerHeaders = (apiKey: string | undefined): Record<string, string> =>
  apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
