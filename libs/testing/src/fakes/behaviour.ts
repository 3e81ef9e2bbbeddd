/**
 * What the fake does with a request. The queued behaviours (`fake.next`) are used first, then the
 * standing one.
 */
export interface FakeBehaviour {
  /** For requests that ask for the title of a thread; default an empty answer, so no title. */
  title?: FakeBehaviour;
  /** For requests that ask what a person told of themselves; default an empty list. */
  memories?: FakeBehaviour;
  /**
   * 'echo' answers with the last user message, word by word; a list is sent token by token; a text
   * is cut into words.
   */
  reply?: "echo" | string | string[];
  /** Instead of `reply`: this many made-up tokens. */
  tokens?: number;
  /** Between two tokens, ms, on a clock that ticks every 5 ms; 0 sends all at once. */
  delayMs?: number;
  /** Before the first token (after the headers), ms. */
  firstDelayMs?: number;
  /** Sent before the answer as the vendor's reasoning. */
  reasoning?: string[];
  finishReason?: "stop" | "length" | "filter";
  /** false: the vendor tells no token counts. */
  usage?: boolean;
  /** The socket is torn down after this many tokens. */
  breakAfter?: number;
  /** The reply ends cleanly after this many tokens, without the protocol's end mark. */
  endAfter?: number;
  /** A frame that is not JSON follows this many tokens. */
  malformedAfter?: number;
  /** The vendor's error event follows this many tokens. */
  errorAfter?: number;
  /**
   * 'headers': nothing is answered; a number: silent after this many tokens. The connection stays
   * open.
   */
  hang?: "headers" | number;
  /** An error instead of an answer; `error` replaces the vendor's usual body for that status. */
  status?: number;
  error?: { message: string; type?: string; code?: string | null };
  /** Seconds, sent as retry-after with `status`. */
  retryAfter?: number;
  /** What Ollama's /api/show tells of the model; default `['completion']`, which sees no images. */
  capabilities?: string[];
  /** Requests with images get this status and Ollama's or llama.cpp's words for it. */
  refusesImages?: number;
  /**
   * Prompts of more than so many characters (of JSON) are refused as too long, in the words of the
   * protocol's vendor.
   */
  promptLimit?: number;
  /** One embeddings call takes this long, ms. */
  embeddingDelayMs?: number;
}

const defaultReply = "The fake model answers in a few plain words.";
const madeUp = ["The ", "quick ", "answer ", "stands ", "in ", "the ", "document ", "here. "];

/** Text as a vendor would cut it: each word keeps the space before it. */
const cutWords = (text: string): string[] =>
  text.match(/\s*\S+\s*$|\s*\S+/g) ?? (text === "" ? [] : [text]);

export function answerTokens(behaviour: FakeBehaviour, lastMessage: string): string[] {
  if (behaviour.tokens !== undefined)
    return Array.from({ length: behaviour.tokens }, (_, index) => madeUp[index % madeUp.length]!);
  if (Array.isArray(behaviour.reply)) return behaviour.reply;
  return cutWords(behaviour.reply === "echo" ? lastMessage : (behaviour.reply ?? defaultReply));
}
