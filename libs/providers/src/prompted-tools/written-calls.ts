import { randomUUID } from "node:crypto";
import type { WrittenCall } from "./call-object.ts";
import { scanText } from "./call-scanner.ts";
import type { ToolNames } from "./tool-names.ts";

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
