import { CarrelError, type AnswerOverrides, type ToolExchange } from "@carrel/contracts";
import {
  estimateTokens,
  type AssistantPart,
  type LanguageModel,
  type LanguageModelCall,
  type ModelMessage,
} from "@carrel/providers";

/** Tools that a client offers for one answer, and what they have returned so far. */
export type ClientTools = Pick<
  AnswerOverrides,
  "tools" | "toolChoice" | "parallelToolCalls" | "exchange"
>;

const has = (list: readonly unknown[] | null | undefined): boolean =>
  list != null && list.length > 0;

export const usesTools = ({ tools, exchange }: ClientTools): boolean => has(tools) || has(exchange);

/** Throws if the model is known not to call tools. */
export async function requireTools(
  model: LanguageModel,
  tools: ClientTools,
  signal: AbortSignal,
): Promise<void> {
  if (usesTools(tools) && (await model.supportsTools(signal)) === false)
    throw new CarrelError("openai.tools-unsupported", { model: model.model });
}

export const buildToolCall = ({
  tools,
  toolChoice,
  parallelToolCalls,
}: ClientTools): Pick<LanguageModelCall, "tools" | "toolChoice" | "parallelToolCalls"> =>
  tools == null || tools.length === 0
    ? {}
    : {
        tools,
        ...(toolChoice != null && { toolChoice }),
        ...(parallelToolCalls != null && { parallelToolCalls }),
      };

/** The messages that follow the question. */
export const buildToolMessages = ({ exchange }: ClientTools): ModelMessage[] =>
  (exchange ?? []).map((message) =>
    message.role === "tool"
      ? {
          role: "tool",
          content: [
            { type: "tool-result", id: message.id, name: message.name, output: message.output },
          ],
        }
      : { role: "assistant", content: buildAssistantParts(message) },
  );

/** Tokens of the prompt that can't be cut. */
export const countToolTokens = (tools: ClientTools): number =>
  usesTools(tools) ? estimateTokens(JSON.stringify([tools.tools, tools.exchange])) : 0;

const buildAssistantParts = ({
  text,
  calls,
}: Extract<ToolExchange[number], { role: "assistant" }>): AssistantPart[] => [
  ...(text === "" ? [] : [{ type: "text" as const, text }]),
  ...calls.map(({ id, name, input }) => ({
    type: "tool-call" as const,
    id,
    name,
    input: readInput(input),
  })),
];

/** A model may have written malformed JSON, which vendors reject when it is repeated. */
function readInput(json: string): Record<string, unknown> {
  try {
    const input: unknown = JSON.parse(json);
    if (typeof input === "object" && input !== null && !Array.isArray(input))
      return input as Record<string, unknown>;
  } catch {
    // Repeated without input.
  }
  return {};
}
