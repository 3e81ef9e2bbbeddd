import { clipText } from "@carrel/contracts";
import { writeInput } from "./call-input.ts";
import { readCallValue, type WrittenCall } from "./call-object.ts";
import { endsInString, findJsonEnd, parseLenient } from "./lenient-json.ts";
import { readPythonCalls } from "./python-call.ts";
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

/** DeepSeek's, MiniMax's and other prefixes of the same tags. */
const prefixedTag =
  /<(\/?)\s*(?:[｜|‖]+\s*DSML\s*[｜|‖]+\s*|[a-z]{1,12}:)(?=(?:invoke|parameter|function|tool|calls))/gi;

/** `<invoke name="…">`, `<function=…>`, `<function name="…">` and what models make of them. */
const callTag =
  /<(?:invoke|function|tool)(?:\s+name)?\s*=\s*["']?([\w.:-]{1,100})["']?[^<>{]{0,200}?(?:>|(?=\{))/gi;
const nameElement = /<(function|name|tool_name|tool|function_name)>\s*([\w.:-]{1,100})\s*<\/\1>/i;
const parameterTag =
  /<param(?:eter)?(?:\s+name)?\s*=\s*["']?([^"'<>\s]{1,200})["']?[^<>]{0,200}>/gi;
const glmKey = /<arg_key>([^<]{1,200})<\/arg_key>\s*(?:<arg_value>)?/g;
/** Longer bodies of plain elements aren't searched: unclosed ones would take quadratic time. */
const longestElements = 20_000;

const trimValue = (text: string): string =>
  text.replace(/^[ \t]*\r?\n/, "").replace(/\r?\n[ \t]*$/, "");

/** The texts between matches of a pattern: what follows each, up to the next. */
function splitAt(text: string, pattern: RegExp): { name: string; body: string }[] {
  const found = [...text.matchAll(pattern)];
  return found.map((match, index) => ({
    name: match[1]!,
    body: text.slice(match.index + match[0].length, found[index + 1]?.index ?? text.length),
  }));
}

/** Up to the last closing tag: models write some twice. */
function cutAt(body: string, closing: RegExp): string {
  const at = body.search(closing);
  return at === -1 ? body : body.slice(0, at);
}

/** The arguments within a call's tags: parameters, pairs, JSON or plain elements. */
function readArguments(body: string): unknown {
  const parameters = splitAt(body, parameterTag);
  if (parameters.length > 0)
    return Object.fromEntries(
      parameters.map(({ name, body: value }) => [
        name,
        trimValue(cutAt(value, /<\/param(?:eter)?>|<\/(?:function|invoke|tool)>/i)),
      ]),
    );
  const pairs = splitAt(body, glmKey);
  if (pairs.length > 0)
    return Object.fromEntries(
      pairs.map(({ name, body: value }) => [name.trim(), trimValue(cutAt(value, /<\/arg_value>/))]),
    );
  const json = body.indexOf("{");
  if (json !== -1) {
    const end = findJsonEnd(body, json);
    const text = body.slice(json, end === -1 ? undefined : end);
    if (end === -1 && endsInString(body, json)) return text;
    return parseLenient(end === -1 ? cutAt(text, /<\/(?:function|invoke|tool)/i) : text) ?? text;
  }
  if (body.length > longestElements) return {};
  const elements = [...body.matchAll(/<(\w{1,100})>([^<]*)<\/\1>/g)];
  return Object.fromEntries(elements.map(([, name, value]) => [name, trimValue(value!)]));
}

/** Reads calls in tags; none if the text has no such tags. */
function readTagCalls(text: string, names: ToolNames): WrittenCall[] {
  const body = text.replaceAll(prefixedTag, "<$1");
  const calls = splitAt(body, callTag);
  if (calls.length > 0)
    return calls.map(({ name: written, body: inner }) => {
      const { name, tool } = names.find(written);
      return { name, input: writeInput(readArguments(inner), tool) };
    });
  const element = nameElement.exec(body);
  const glm = /^\s*([\w.:-]{1,100})\s*<arg_key>/.exec(body);
  const written = element?.[2] ?? glm?.[1];
  if (written === undefined) return [];
  const { name, tool } = names.find(written);
  const rest = element === null ? body : body.slice(element.index + element[0].length);
  return [{ name, input: writeInput(readArguments(rest), tool) }];
}
