import type { Words } from "../words/english.ts";
import type { HistoryItem, Source } from "../wire/embed-api.ts";

export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
  /** `failed`: see `fault`; `stopped`: the visitor stopped it. */
  state: "writing" | "done" | "stopped" | "failed";
  sources: Source[];
  fault: Fault | null;
}

export interface Fault {
  /** The server's own text; null for the widget's. */
  text: string | null;
  kind: "refused" | "expired" | "failed" | "interrupted";
}

/** Whether the server's text is all there is to say, since trying again would not help. */
export const isFinal = ({ kind }: Fault): boolean => kind === "refused" || kind === "expired";

export const faultText = ({ text, kind }: Fault, words: Words): string =>
  text ?? words[kind === "interrupted" ? "interrupted" : "failed"];

let count = 0;
export const newMessage = (
  role: Message["role"],
  text: string,
  state: Message["state"] = "done",
): Message => ({ id: `m${++count}`, role, text, state, sources: [], fault: null });

export const fromHistory = ({ role, content, sources }: HistoryItem): Message => ({
  ...newMessage(role, content),
  sources: Array.isArray(sources) ? sources : [],
});

/** A reasoning model's thoughts, which it writes before the answer. */
export function splitThoughts(text: string): { thoughts: string; answer: string } {
  const match = /^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/i.exec(text);
  if (match === null) return { thoughts: "", answer: text };
  return { thoughts: match[1]!.trim(), answer: text.slice(match[0].length).trimStart() };
}
