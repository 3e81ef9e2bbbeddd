import { ProviderError } from "./provider-error.ts";

export interface TextPart {
  type: "text";
  text: string;
}

export interface ImagePart {
  type: "image";
  /** E.g. image/png. */
  mime: string;
  /** Without a data: prefix. */
  base64: string;
}

/** A document the model reads itself; vendors without such input reject it with 'invalid'. */
export interface FilePart {
  type: "file";
  /** application/pdf or text/plain; support for others varies. */
  mime: string;
  /** Without a data: prefix. */
  base64: string;
  filename: string;
}

/** Reasoning of an earlier answer; vendors without a place for it in a prompt ignore it. */
export interface ReasoningPart {
  type: "reasoning";
  text: string;
  metadata?: ProviderMetadata;
}

/** A call that the model made. */
export interface ToolCallPart {
  type: "tool-call";
  id: string;
  name: string;
  input: Record<string, unknown>;
  metadata?: ProviderMetadata;
}

/** What a tool returned. Every call of an assistant message needs one before the next answer. */
export interface ToolResultPart {
  type: "tool-result";
  /** The id of the call. */
  id: string;
  name: string;
  output: string;
  /** The tool failed and `output` says why; vendors without such a flag only see the output. */
  isError?: boolean;
}

export type UserPart = TextPart | ImagePart | FilePart;
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart;

/** A string is short for a single text part. */
export type ModelMessage =
  | { role: "user"; content: string | UserPart[] }
  | { role: "assistant"; content: string | AssistantPart[] }
  | { role: "tool"; content: ToolResultPart[] };

/** The parts of a message's content; an empty string has none. */
export function contentParts<Part>(content: string | Part[]): (Part | TextPart)[] {
  if (typeof content !== "string") return content;
  return content === "" ? [] : [{ type: "text", text: content }];
}

/** The text of a message, without images, files, reasoning and tools. */
export const messageText = ({ content }: ModelMessage): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("");

/** Throws ProviderError 'invalid' if a message has a file, which the vendor doesn't accept. */
export function requireNoFiles(
  { name }: { name: string },
  messages: readonly ModelMessage[],
): void {
  const hasFile = messages.some(
    ({ role, content }) =>
      role === "user" && contentParts(content).some(({ type }) => type === "file"),
  );
  if (hasFile)
    throw new ProviderError(
      { code: "provider.files-unsupported", params: { vendor: name } },
      { kind: "invalid" },
    );
}

/**
 * Data that a vendor requires back unchanged with a part of its answer, under the vendor's id: the
 * signature of Anthropic's thinking, OpenAI's encrypted reasoning. Opaque to callers, and JSON
 * throughout so that it can be stored; an adapter reads only its own vendor's entry.
 */
export type ProviderMetadata = Readonly<Record<string, Readonly<Record<string, string>>>>;
