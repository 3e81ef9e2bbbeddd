import { callKeys } from "./call-object.ts";
import type { ToolNames } from "./tool-names.ts";

/**
 * Where a call may begin. `tag`: marks of its own, between which only a call can stand; the others
 * are calls only if they name an offered tool.
 */
export type CallMark =
  | { kind: "tag"; open: string; closes: readonly string[]; isToken: boolean }
  | { kind: "channel" | "json" | "python" | "action" }
  | { kind: "fence"; open: string };

type Pair = readonly [open: string, ...closes: string[]];

/**
 * From the chat templates of the models (2023 to 2026) and the parsers of vLLM, SGLang and
 * llama.cpp. Compared ignoring case.
 */
const tags: readonly Pair[] = [
  // Hermes, Qwen, GLM, Granite 4 and most fine-tunes.
  ["<tool_call>", "</tool_call>"],
  ["<tool_calls>", "</tool_calls>"],
  ["<tool_use>", "</tool_use>"],
  ["<function_call>", "</function_call>"],
  ["<functioncall>", "</functioncall>"],
  ["<function_calls>", "</function_calls>"],
  // Nemotron, xLAM.
  ["<toolcall>", "</toolcall>"],
  ["<invoke name", "</invoke>"],
  // Llama 3.1, Functionary, Qwen3-Coder.
  ["<function=", "</function>", "<function>"],
  ["<function name=", "</function>"],
  ["<minimax:tool_call>", "</minimax:tool_call>"],
  ["<seed:tool_call>", "</seed:tool_call>"],
];

const tokens: readonly Pair[] = [
  // Phi-4 and Granite 3.
  ["<|tool_call|>", "<|/tool_call|>", "</tool_call>", "<|end_of_text|>"],
  // Gemma 4.
  ["<|tool_call>", "<tool_call|>"],
  // Llama 3 and 4.
  ["<|python_tag|>", "<|eom_id|>", "<|eot_id|>"],
  ["<|python_start|>", "<|python_end|>"],
  // Mistral.
  ["[TOOL_CALLS]", "</s>"],
  ["functools[", "]"],
  // DeepSeek.
  ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"],
  ["<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>"],
  ...["｜", "｜｜", "|", "||", "‖"].map((bar): Pair => [
    `<${bar}DSML${bar}`,
    ...["function_calls", "tool_calls", " calls", "calls", "tool_use"].map(
      (name) => `</${bar}DSML${bar}${name}>`,
    ),
  ]),
  // Kimi.
  ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"],
  ["<|tool_call_begin|>", "<|tool_call_end|>"],
  // Command R and A.
  ["<|START_ACTION|>", "<|END_ACTION|>"],
  // InternLM.
  ["<|action_start|><|plugin|>", "<|action_end|>"],
  // Apertus.
  ["<|tools_prefix|>", "<|tools_suffix|>"],
];

const toMark =
  (isToken: boolean) =>
  ([open, ...closes]: Pair): Extract<CallMark, { kind: "tag" }> => ({
    kind: "tag",
    open: open.toLowerCase(),
    closes: closes.map((close) => close.toLowerCase()),
    isToken,
  });
const tagMarks = [...tags.map(toMark(false)), ...tokens.map(toMark(true))]
  // `<|tool_call>` must not hide `<|tool_call_begin|>`.
  .toSorted((a, b) => b.open.length - a.open.length);

/** How gpt-oss begins a message, with its tokens or without (servers may strip them). */
const channelStarts = [
  "<|channel|>commentary to=",
  "<|channel|>analysis to=",
  "<|start|>assistant to=",
  "<|start|>assistant<|channel|>commentary to=",
  "assistantcommentary to=functions.",
  "commentary to=functions.",
  "to=functions.",
];

/** Characters at which a mark may begin. */
export const firstCharacter = /[<[{`~*A-Za-z_]/;
const actionStarts = ["action:", "**action:**", "**action**:", "*action*:"];
const wrappers = ["print(", "default_api.", "functions.", "await ", "[", "[ "];
const fenceLine = /^(`{3,}|~{3,})[^\n`]*\n/;
const openFence = /^(?:`{1,2}|~{1,2}|(?:`{3,}|~{3,})[^\n`]{0,80})$/;

/** null: no mark begins here; "maybe": more text is needed to tell. */
type Found = CallMark | "maybe" | null;

/** Finds marks of calls to these tools. */
export class CallMarks {
  private readonly keys: readonly string[];
  private readonly callStarts: readonly string[];

  constructor(names: ToolNames) {
    const offered = names.tools.map(({ name }) => name);
    this.keys = [...callKeys, ...offered];
    this.callStarts = [
      ...offered,
      ...wrappers.flatMap((wrapper) => offered.map((name) => `${wrapper}${name}`)),
      ...offered.map((name) => `print(default_api.${name}`),
    ].map((start) => `${start}(`);
  }

  /**
   * The mark at the beginning of `rest`. `isLineStart`: only blanks precede it in its line;
   * `before`: the character before it.
   */
  find(rest: string, isLineStart: boolean, before: string): Found {
    const char = rest[0]!;
    const start = rest.slice(0, 80).toLowerCase();
    const isMarked = char === "<" || char === "[" || (isLineStart && char === "f");
    let isOpen = false;
    if (isMarked && !/[`"']/.test(before))
      for (const mark of tagMarks) {
        if (start.startsWith(mark.open)) return mark;
        isOpen ||= mark.open.startsWith(start);
      }
    if (char === "<" || isLineStart)
      for (const each of channelStarts) {
        if (start.startsWith(each)) return { kind: "channel" };
        isOpen ||= each.startsWith(start);
      }
    const found = isLineStart ? this.findAtLineStart(rest, start) : null;
    if (found !== null && found !== "maybe") return found;
    isOpen ||= found === "maybe";
    if ((char === "{" && !/[\w`"'\\$]/.test(before)) || (char === "[" && isLineStart)) {
      const isCall = this.beginsCall(rest);
      if (isCall === true) return { kind: "json" };
      isOpen ||= isCall === null;
    }
    return isOpen ? "maybe" : null;
  }

  private findAtLineStart(rest: string, start: string): Found {
    const fence = fenceLine.exec(rest);
    if (fence !== null) return { kind: "fence", open: fence[0] };
    let isOpen = openFence.test(rest);
    for (const each of actionStarts) {
      if (start.startsWith(each)) return { kind: "action" };
      isOpen ||= each.startsWith(start);
    }
    const written = rest.slice(0, 120).replace(/\s+(?=\()/, "");
    for (const each of this.callStarts) {
      if (written.startsWith(each)) return { kind: "python" };
      isOpen ||= each.startsWith(written);
    }
    return isOpen ? "maybe" : null;
  }

  /** Whether JSON begins with a key of a call; null if more text is needed. */
  private beginsCall(rest: string): boolean | null {
    const head = /^\[?\s*\{?\s*["'“]?/.exec(rest.slice(0, 200))![0];
    const after = rest.slice(head.length);
    if (after === "") return head.length < 200 ? null : false;
    if (!head.includes("{")) return false;
    const key = /^[\w-]*/.exec(after)![0];
    if (key.length === after.length)
      return this.keys.some((each) => each.startsWith(key)) ? null : false;
    return this.keys.includes(key) && /^["'”]?\s*(?::|$)/.test(after.slice(key.length))
      ? true
      : false;
  }
}
