import type { HistoryItem, Source } from "../wire/embed-api.ts";
import type { Words } from "../words/english.ts";

export interface Message {
  id: string;
  role: "user" | "assistant";
  text: string;
  /** The model's reasoning, if the server sends it separately. */
  thoughts: string;
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

/** Whether the server's text says everything, because trying again wouldn't help. */
export const isFinal = ({ kind }: Fault): boolean => kind === "refused" || kind === "expired";

export const faultText = ({ text, kind }: Fault, words: Words): string =>
  text ?? words[kind === "interrupted" ? "interrupted" : "failed"];

let count = 0;
export const newMessage = (
  role: Message["role"],
  text: string,
  state: Message["state"] = "done",
): Message => ({ id: `m${++count}`, role, text, thoughts: "", state, sources: [], fault: null });

export const fromHistory = ({ role, content, thoughts, sources }: HistoryItem): Message => ({
  ...newMessage(role, content),
  thoughts: thoughts ?? "",
  sources: Array.isArray(sources) ? sources : [],
});

/** Servers other than Carrel leave reasoning in the text, before the answer. */
const thought = /^\s*<think>([^]*?)(?:<\/think>|$)/;

/** A reasoning model's thoughts, and its answer. */
export function splitThoughts(message: Pick<Message, "text" | "thoughts">): {
  thoughts: string;
  answer: string;
} {
  const thoughts = [message.thoughts.trim()];
  let answer = message.text;
  for (let match = thought.exec(answer); match !== null; match = thought.exec(answer)) {
    thoughts.push(match[1]!.trim());
    answer = answer.slice(match[0].length).trimStart();
  }
  return { thoughts: thoughts.filter((each) => each !== "").join("\n\n"), answer };
}
