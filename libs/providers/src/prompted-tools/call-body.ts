import { clipText } from "@carrel/contracts";
import { writeInput } from "./call-input.ts";
import { readCallValue, type WrittenCall } from "./call-object.ts";
import { endsInString, findJsonEnd, parseLenient } from "./lenient-json.ts";
import { readPythonCalls } from "./python-call.ts";
import { readTagCalls } from "./tag-call.ts";
import type { ToolNames } from "./tool-names.ts";

/** Between the calls of a section. */
const between =
  /<｜tool▁call▁(?:begin|end)｜>|<\|tool_call_(?:begin|end)\|>|<\/?tool_calls?>|<\/?tool_use>/g;
const hasTags = /<(?:[^<>\s]{0,20}\s*)?(?:invoke|function|param|arg_key|tool|name)/i;
/** What stands between a name and its arguments. */
const separators =
  /\[CALL_ID\][^[{]*|\[ARGS\]|<\|tool_call_argument_begin\|>|<｜tool▁sep｜>|<\|constrain\|>|<\|message\|>|<\|channel\|>|```\w*/g;
const fillers = new Set(["function", "json", "call", "commentary", "assistant", "final", "code"]);
/** A longer text before the arguments is no name. */
const longestHead = 300;

/** Reads the text within a call's marks. `isSure`: see `readCallValue`. */
export function readCallBody(body: string, names: ToolNames, isSure: boolean): WrittenCall[] {
  // Marks within JSON are part of its texts.
  const isJson = /^\s*[{[]/.test(body);
  const pieces = isJson ? [body] : body.split(between).filter((piece) => piece.trim() !== "");
  return pieces.flatMap((piece) => readPiece(unquoteGemma(piece).trim(), names, isSure));
}

/** Gemma's quotes may enclose anything. */
const unquoteGemma = (text: string): string =>
  text.replaceAll(/<\|"\|>([\s\S]*?)<\|"\|>/g, (_whole, value: string) => JSON.stringify(value));

function readPiece(text: string, names: ToolNames, isSure: boolean): WrittenCall[] {
  if (/^[{[]\s*(?:[{"'}\]]|\w+["']?\s*:)/.test(text)) return readJsonCalls(text, names, isSure);
  if (isSure && hasTags.test(clipText(text, longestHead))) {
    const calls = readTagCalls(text, names);
    if (calls.length > 0) return calls;
  }
  if (/^[\s[]*(?:print\s*\(\s*|\w+\s*=\s*)?[A-Za-z_][\w.-]*\s*\(/.test(text))
    return readPythonCalls(text, names, isSure);
  return isSure ? readHeadedCall(text, names) : [];
}

/** JSON values after each other, with anything but letters between them. */
function readJsonCalls(text: string, names: ToolNames, isSure: boolean): WrittenCall[] {
  const calls: WrittenCall[] = [];
  let at = 0;
  while (at !== -1) {
    const end = findJsonEnd(text, at);
    if (end === -1 && endsInString(text, at)) {
      const cut = readCutCall(text.slice(at), names, isSure);
      return cut === null ? calls : [...calls, cut];
    }
    const value = parseLenient(text.slice(at, end === -1 ? undefined : end));
    calls.push(...readCallValue(value, names, isSure));
    const next = end === -1 ? null : /^[^\p{L}{[<]*(?=[{[])/u.exec(text.slice(end));
    at = next === null ? -1 : end + next[0].length;
  }
  return calls;
}

/** A call that is cut off within a text keeps its broken input, so that nobody runs it. */
function readCutCall(text: string, names: ToolNames, isSure: boolean): WrittenCall | null {
  const written =
    /["'](?:name|tool|tool_name|function|action)["']\s*:\s*["']([^"']{1,100})["']/.exec(text);
  if (written === null) return null;
  const { name, tool, isGuess } = names.find(written[1]!);
  if (!isSure && (tool === undefined || isGuess)) return null;
  const input = /["'](?:arguments|parameters|args|input|action_input)["']\s*:\s*([\s\S]*)$/.exec(
    text,
  );
  return { name, input: input?.[1] ?? text };
}

/** `name{…}`, `name[ARGS]{…}`, `functions.name:0<|tool_call_argument_begin|>{…}` and the like. */
function readHeadedCall(text: string, names: ToolNames): WrittenCall[] {
  const calls: WrittenCall[] = [];
  let rest = text;
  for (;;) {
    const bare = rest
      .replaceAll("[TOOL_CALLS]", " ")
      .replaceAll(separators, (found) => " ".repeat(found.length));
    const json = bare.search(/[{"]/);
    const head = (json === -1 ? bare : bare.slice(0, json)).trim();
    if (head === "" || head.length > longestHead) return calls;
    const words = (head.match(/[\w.:-]+/g) ?? []).filter(
      (word) => !fillers.has(word.toLowerCase()),
    );
    const written =
      words.find((word) => /^(?:functions?|tools?|call)[.:]/.test(word)) ?? words.at(-1);
    if (written === undefined || words.length > (json === -1 ? 1 : 3)) return calls;
    const { name, tool } = names.find(written);
    if (json === -1) {
      if (tool !== undefined) calls.push({ name, input: "{}" });
      return calls;
    }
    const aligned = rest.replaceAll("[TOOL_CALLS]", " ").slice(json);
    const isText = aligned.startsWith('"');
    const end = isText ? -1 : findJsonEnd(aligned, 0);
    const given = aligned.slice(0, end === -1 ? undefined : end);
    const isCut = !isText && end === -1 && endsInString(aligned, 0);
    calls.push({
      name,
      input: isCut
        ? given
        : writeInput(isText ? given.replace(/`+\s*$/, "") : (parseLenient(given) ?? given), tool),
    });
    if (end === -1) return calls;
    rest = aligned.slice(end).replace(/^[\s}\]`;,]+/, "");
  }
}
