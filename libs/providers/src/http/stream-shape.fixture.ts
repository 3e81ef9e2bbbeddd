import type { FinishReason } from "../spec/stream-part.ts";

/** A reply as some server sends it, and what it means. */
export interface StreamShape {
  name: string;
  body: string | Uint8Array;
  contentType?: string;
  headers?: Record<string, string>;
  staysOpen?: boolean;
  breaks?: boolean;
  text?: string;
  reasoning?: string;
  /** Default: stop; null: none, because it fails. */
  reason?: FinishReason | null;
  /** Names of the tools that the model calls. */
  calls?: readonly string[];
  /** The inputs of these calls; default: not compared. */
  inputs?: readonly unknown[];
  /** The fault's code, without `provider.`, and words of its message. */
  fault?: [code: string, words?: string];
}

export const sse = (...events: (string | object)[]): string =>
  events
    .map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
    .join("");

export const lines = (...objects: object[]): string =>
  objects.map((object) => `${JSON.stringify(object)}\n`).join("");

/** Events with their types as names. */
export const named = (...events: { type: string }[]): string =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
