/** A request in one form for all protocols. */
export interface FakeQuestion {
  model: string;
  stream: boolean;
  lastMessage: string;
  promptTokens: number;
  includeUsage: boolean;
  /** OpenAI returns encrypted reasoning only on request. */
  includeEncryptedReasoning?: boolean;
}

export interface FakeUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  reasoningTokens: number;
}

export interface FakeToolCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
}

export type FakeFinishReason = "stop" | "length" | "content-filter" | "tool-calls";

/** A complete answer, for requests without a stream. */
export interface FakeAnswer {
  text: string;
  reasoning: string;
  toolCalls: FakeToolCall[];
  reason: FakeFinishReason;
  usage: FakeUsage | null;
}

/** Encodes one protocol. */
export interface FakeWire {
  protocol:
    | "openai-chat"
    | "openai-responses"
    | "anthropic"
    | "ollama"
    | "gemini"
    | "cohere"
    | "bedrock";
  /** Encoding of what the writer returns; UTF-8 by default. */
  encoding?: "latin1";
  contentType: string;
  read(body: Record<string, unknown>): FakeQuestion;
  /** A new writer for each answer, because some protocols number their events. */
  writer(question: FakeQuestion): FakeWriter;
  /** The answer as a single response. */
  whole(question: FakeQuestion, answer: FakeAnswer): unknown;
  errorBody(
    status: number,
    error: { message: string; type?: string; code?: string | null } | undefined,
  ): unknown;
  malformed: string;
}

export interface FakeWriter {
  start(usage: FakeUsage | null): string;
  reasoning(text: string): string;
  text(token: string): string;
  /** The call, in the pieces in which the vendor streams it. */
  toolCall(call: FakeToolCall): string;
  error(message: string): string;
  end(reason: FakeFinishReason, usage: FakeUsage | null): string;
}

/** Text of a content field that is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      part && typeof part === "object" && "text" in part && typeof part.text === "string"
        ? part.text
        : "",
    )
    .join("");
}

export function lastUserText(messages: unknown): string {
  if (!Array.isArray(messages)) return "";
  const last = messages.findLast(
    (message: unknown) =>
      !!message && typeof message === "object" && (message as { role?: unknown }).role === "user",
  ) as { content?: unknown } | undefined;
  return contentText(last?.content);
}

/** About four characters per token, over the whole prompt as sent. */
export const countPromptTokens = (prompt: unknown): number =>
  Math.ceil(JSON.stringify(prompt ?? "").length / 4);

/** The JSON of a call's input in two pieces, as vendors stream it. */
export function splitInput({ input }: FakeToolCall): [string, string] {
  const json = JSON.stringify(input);
  const middle = Math.ceil(json.length / 2);
  return [json.slice(0, middle), json.slice(middle)];
}
