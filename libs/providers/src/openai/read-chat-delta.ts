import type OpenAI from "openai";
import type { PartQueue } from "../http/part-queue.ts";

export type ToolCallDelta = NonNullable<
  OpenAI.Chat.ChatCompletionChunk.Choice.Delta["tool_calls"]
>[number];

/**
 * What servers write in a delta, or in the message of an answer that isn't streamed. Mistral's
 * reasoning models write lists of blocks instead of texts (docs.mistral.ai, 2025).
 */
export interface ChatDelta {
  content?: unknown;
  refusal?: unknown;
  tool_calls?: ToolCallDelta[] | null;
  /** Of OpenAI's protocol before tools. */
  function_call?: { name?: string; arguments?: string } | null;
}

/**
 * DeepSeek, vLLM and llama.cpp call it reasoning_content, OpenRouter, Groq and newer vLLM
 * reasoning, others thinking; OpenAI's own protocol has none of them.
 */
const reasoningNames = ["reasoning_content", "reasoning", "thinking", "reasoning_text"];

/** A piece of reasoning; some servers send the same under two names. */
function readReasoning(delta: object): string {
  const fields = delta as Record<string, unknown>;
  for (const name of reasoningNames) {
    const value = fields[name];
    if (typeof value === "string" && value !== "") return value;
  }
  const { reasoning_details: details } = fields;
  return Array.isArray(details) ? details.map(readDetail).join("") : "";
}

/** OpenRouter's `{type: "reasoning.text", text}` and `{type: "reasoning.summary", summary}`. */
function readDetail(detail: unknown): string {
  if (typeof detail !== "object" || detail === null) return "";
  const { text, summary } = detail as Record<string, unknown>;
  return typeof text === "string" ? text : typeof summary === "string" ? summary : "";
}

/** Adds reasoning and text of a delta. */
export function addDelta(delta: ChatDelta, parts: PartQueue): void {
  parts.addText("reasoning-delta", readReasoning(delta));
  addContent(delta.content, parts);
  if (typeof delta.refusal === "string") parts.addText("text-delta", delta.refusal);
}

/** A text, or blocks of texts, refusals and thinking. */
export function addContent(content: unknown, parts: PartQueue): void {
  if (typeof content === "string") parts.addText("text-delta", content);
  else if (Array.isArray(content)) for (const block of content) addContent(block, parts);
  else if (typeof content === "object" && content !== null)
    addBlock(content as Record<string, unknown>, parts);
}

function addBlock({ type, text, refusal, thinking }: Record<string, unknown>, parts: PartQueue) {
  if (type === "thinking" || type === "reasoning") {
    const blocks: unknown[] = Array.isArray(thinking) ? thinking : [thinking ?? text];
    for (const block of blocks)
      parts.addText("reasoning-delta", typeof block === "string" ? block : readDetail(block));
  } else if (typeof text === "string") parts.addText("text-delta", text);
  else if (typeof refusal === "string") parts.addText("text-delta", refusal);
}
