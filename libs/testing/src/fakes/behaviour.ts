import type { RawReply } from "./send-raw.ts";
import type { FakeFinishReason } from "./wire.ts";

/**
 * How the fake handles a request. Queued behaviours (`fake.next`) are used first, then the default
 * one.
 */
export interface FakeBehaviour {
  /** Decides by the request's body how to answer an answer's request; not over HTTP. */
  choose?(body: Record<string, unknown>): FakeBehaviour;
  /** For requests for a thread title; by default an empty answer, so no title. */
  title?: FakeBehaviour;
  /** For requests to extract memories; by default an empty list. */
  memories?: FakeBehaviour;
  /**
   * 'echo' repeats the last user message word by word; a list is sent token by token; a text is
   * split into words.
   */
  reply?: "echo" | string | string[];
  /** Sends this many made-up tokens instead of `reply`. */
  tokens?: number;
  /** Delay between two tokens, in ms, in steps of 5 ms; 0 sends everything at once. */
  delayMs?: number;
  /** Delay before the first token (after the headers), in ms. */
  firstDelayMs?: number;
  /** The first token (after the headers) and embeddings wait for this; not over HTTP. */
  after?: Promise<unknown>;
  /** Sent before the answer as the vendor's reasoning. */
  reasoning?: string[];
  /** Calls at the end of the answer; its text is then empty unless `reply` or `tokens` is set. */
  toolCalls?: { name: string; input: Record<string, unknown> }[];
  /** Default: tool-calls if there are any, otherwise stop. */
  finishReason?: FakeFinishReason;
  /** false: the vendor reports no token counts; 'always': reports them without being asked. */
  usage?: boolean | "always";
  /** How many tokens of the prompt came from the vendor's cache; default 0. */
  cachedTokens?: number;
  /** How many tokens of the answer were reasoning; default 0. */
  reasoningTokens?: number;
  /** Destroys the socket after this many tokens. */
  breakAfter?: number;
  /** Ends the reply cleanly after this many tokens, without the protocol's end marker. */
  endAfter?: number;
  /** Keeps the connection open after an answer, without counts and end mark (chat completions). */
  neverEnds?: boolean;
  /** Sends a frame that is not JSON after this many tokens. */
  malformedAfter?: number;
  /** Sends the vendor's error event after this many tokens. */
  errorAfter?: number;
  /**
   * 'headers': never answers; a number: stops sending after this many tokens. The connection stays
   * open.
   */
  hang?: "headers" | number;
  /**
   * Returns an error instead of an answer; `error` replaces the vendor's usual body for that
   * status.
   */
  status?: number;
  error?: { message: string; type?: string; code?: string | null };
  /** Seconds, sent as retry-after with `status`. */
  retryAfter?: number;
  /**
   * What Ollama's /api/show reports for the model; default `['completion']`, which accepts no
   * images.
   */
  capabilities?: string[];
  /** Requests with images fail with this status and the message of Ollama or llama.cpp. */
  refusesImages?: number;
  /**
   * Rejects prompts of more characters (of JSON) as too long, with the message of the protocol's
   * vendor.
   */
  promptLimit?: number;
  /** Answers requests without a key too. */
  isOpen?: boolean;
  /** Bodies of replies to GET requests, by path, such as a vendor's list of models. */
  replies?: Record<string, unknown>;
  /** Duration of one embeddings call, ms. */
  embeddingDelayMs?: number;
  /** Texts whose embeddings say nothing about them. */
  isEmbeddingNoise?: (text: string) => boolean;
  /** Length of the vectors, whatever the request asks for. */
  embeddingLength?: number;
  /** Embeds all texts except the last one. */
  leavesOneOut?: boolean;
  /** Sends vectors as base64 (OpenAI's protocol), whatever the request asks for. */
  sendsBase64?: boolean;
  /** Rejects texts with more characters, like a vendor for texts that are too long. */
  textLimit?: number;
  /** Sent instead of an answer, whatever the protocol. */
  raw?: RawReply;
  /** Sent instead of embeddings. */
  rawReply?: string;
}

const defaultReply = "The fake model answers in a few plain words.";
const madeUp = ["The ", "quick ", "answer ", "stands ", "in ", "the ", "document ", "here. "];

/** Tokens like a vendor's: each word includes the space before it. */
const cutWords = (text: string): string[] =>
  text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === "" ? [] : [text]);

export function answerTokens(behaviour: FakeBehaviour, lastMessage: string): string[] {
  if (behaviour.tokens !== undefined)
    return Array.from({ length: behaviour.tokens }, (_, index) => madeUp[index % madeUp.length]!);
  if (Array.isArray(behaviour.reply)) return behaviour.reply;
  if (behaviour.reply === undefined && behaviour.toolCalls !== undefined) return [];
  return cutWords(behaviour.reply === "echo" ? lastMessage : (behaviour.reply ?? defaultReply));
}
