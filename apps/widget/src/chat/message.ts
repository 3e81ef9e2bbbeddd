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

/** Some servers leave a model's own tags in its text; the last ones are gpt-oss's. */
const thought =
  /^\s*(?:<(think(?:ing)?|thoughts?|reasoning|reflection|seed:think)>([^]*?)(?:<\/\1>|$)|\[THINK\]([^]*?)(?:\[\/THINK\]|$)|◁think▷([^]*?)(?:◁\/think▷|$)|<\|channel\|>(?:analysis|commentary)[^<]*<\|message\|>([^]*?)(?:<\|end\|>(?:<\|start\|>assistant)?(?:<\|channel\|>final<\|message\|>)?|$))/i;
/** One whose opening tag was in the prompt; not one that a sentence mentions. */
const closing = /^([^`]*?)(?:^|[^ \t"'(`])<\/think(?:ing)?>/i;

/** A reasoning model's thoughts, which it writes before the answer. */
export function splitThoughts(text: string): { thoughts: string; answer: string } {
  const thoughts: string[] = [];
  let answer = text;
  for (let match = thought.exec(answer); match !== null; match = thought.exec(answer)) {
    const [whole, , ...texts] = match;
    thoughts.push(texts.find((each) => each !== undefined)!.trim());
    answer = answer.slice(whole.length);
  }
  const end = thoughts.length === 0 && !text.includes("<think") ? closing.exec(text) : null;
  if (end !== null) {
    thoughts.push(end[0].replace(/<[^<]*$/, "").trim());
    answer = text.slice(end[0].length);
  }
  return {
    thoughts: thoughts.filter((each) => each !== "").join("\n\n"),
    answer: thoughts.length === 0 ? text : answer.trimStart(),
  };
}
