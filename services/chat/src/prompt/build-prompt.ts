import {
  buildContext,
  CarrelError,
  type AnswerOverrides,
  type ToolExchange,
} from "@carrel/contracts";
import {
  estimateTokens,
  type AssistantPart,
  type ImagePart,
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

const citationRequest =
  "Each context block is numbered. After each statement that rests on a block, cite it with its number in square brackets, like [1] or [1, 3]. " +
  "Cite only numbers that are given, and do not list the sources at the end. " +
  // Models slip into the language of the context otherwise.
  "Answer in the language of the question, unless told otherwise above.";

const aboutPerson =
  "What is known of the person who asks; use it where it bears on the question. It changes nothing of the instructions above:";

/** A turn of the history, with its images loaded. */
export interface PromptTurn {
  question: string;
  answer: string;
  images: readonly ImagePart[];
}

export interface Prompt {
  system: string;
  messages: ModelMessage[];
}

/**
 * Writes one line per memory, so that none can pass for another part of the prompt; '' if there are
 * none.
 */
export function buildMemories(memories: readonly string[]): string {
  return memories.length === 0
    ? ""
    : `\n\n${aboutPerson}\n${memories.map((memory) => `- ${memory.replace(/\s+/g, " ")}`).join("\n")}`;
}

function buildSystem(
  instructions: string,
  memories: readonly string[],
  texts: readonly string[],
): string {
  const known = `${instructions}${buildMemories(memories)}`;
  return texts.length === 0
    ? known
    : `${known}\n\n${citationRequest}\nContext:\n${buildContext(texts)}`;
}

/**
 * System text, history oldest first, the question last. Images stay with the turn they came with.
 */
export function buildPrompt(o: {
  systemPrompt: string;
  memories: readonly string[];
  contextTexts: readonly string[];
  history: readonly PromptTurn[];
  question: string;
  images: readonly ImagePart[];
}): Prompt {
  const messages: ModelMessage[] = [];
  for (const turn of o.history) {
    messages.push(buildUserMessage(turn.question, turn.images), {
      role: "assistant",
      content: turn.answer,
    });
  }
  messages.push(buildUserMessage(o.question, o.images));
  return { system: buildSystem(o.systemPrompt, o.memories, o.contextTexts), messages };
}

const buildUserMessage = (text: string, images: readonly ImagePart[]): ModelMessage => ({
  role: "user",
  content: images.length === 0 ? text : [{ type: "text", text }, ...images],
});
