import type { ImagePart, ModelMessage } from "@carrel/providers";

const citationRequest =
  "Each context block is numbered. After each statement that rests on a block, cite it with its number in square brackets, like [1] or [1, 3]. " +
  "Cite only numbers that are given, and do not list the sources at the end.";

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
 * wire-contract 4.7: the texts as blocks, numbered from 1 so that a citation mark is a block's
 * number.
 */
export function buildContext(texts: readonly string[]): string {
  return texts
    .map((text, index) => `[CONTEXT ${index + 1}]:\n${text}\n[END CONTEXT ${index + 1}]\n\n`)
    .join("");
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
