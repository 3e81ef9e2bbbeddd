import { randomUUID } from "node:crypto";
import { ReasoningSplitter } from "../reasoning/split-reasoning.ts";
import type { ToolDefinition } from "../spec/language-model.ts";
import type { WrittenCall } from "./call-object.ts";
import { scanText } from "./call-scanner.ts";
import { ToolNames } from "./tool-names.ts";

/** Calls found in a text, and the text without them. */
export interface FoundCalls {
  text: string;
  calls: {
    id: string;
    /** An offered tool's name, unless the model made one up. */
    name: string;
    /** JSON, unless the model's couldn't be repaired. */
    input: string;
  }[];
}

/** Without repeated calls, which small models write. */
export function withoutRepeats(calls: readonly WrittenCall[]): WrittenCall[] {
  const seen = new Set<string>();
  return calls.filter(({ name, input }) => {
    const key = `${name} ${input}`;
    return !seen.has(key) && Boolean(seen.add(key));
  });
}

/** The id of a call that has none. */
export const newCallId = (): string => `call_${randomUUID()}`;

/**
 * Finds calls that a model wrote into a finished answer instead of calling its tools. Calls in
 * reasoning count only if nothing else follows it. Text that only talks about calls is left alone.
 */
export function findWrittenCalls(text: string, tools: readonly ToolDefinition[]): FoundCalls {
  const names = new ToolNames(tools);
  let answer = "";
  let reasoning = "";
  const splitter = new ReasoningSplitter({
    text: (piece) => (answer += piece),
    reasoning: (piece) => (reasoning += piece),
    textWasReasoning: () => {
      reasoning = answer + reasoning;
      answer = "";
    },
  });
  splitter.addText(text);
  splitter.flush();
  const found = scanText(answer, names);
  const calls =
    found.calls.length > 0 ? found.calls : findReasonedCalls(reasoning, found.text, names);
  return {
    text: calls.length === 0 ? text : found.text.trim(),
    calls: withoutRepeats(calls).map((call) => ({ id: newCallId(), ...call })),
  };
}

/** gpt-oss addresses its calls, so they are meant wherever a server put them. */
const addressed = /<\|channel\|>\w+ to=/;

/** The calls in reasoning that count as made. */
export function findReasonedCalls(
  reasoning: string,
  text: string,
  names: ToolNames,
): WrittenCall[] {
  const at = reasoning.search(addressed);
  if (at !== -1) return scanText(reasoning.slice(at), names).calls;
  return text.trim() === "" ? scanText(reasoning, names).calls : [];
}
