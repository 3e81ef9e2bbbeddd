import { writeInput } from "./call-input.ts";
import type { WrittenCall } from "./call-object.ts";
import { endsInString, findJsonEnd, parseLenient } from "./lenient-json.ts";
import type { ToolNames } from "./tool-names.ts";

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
export function readTagCalls(text: string, names: ToolNames): WrittenCall[] {
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
