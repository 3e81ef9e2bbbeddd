import { readCallBody } from "./call-body.ts";
import { writeInput } from "./call-input.ts";
import type { WrittenCall } from "./call-object.ts";
import { findJsonEnd } from "./lenient-json.ts";
import type { ToolNames } from "./tool-names.ts";

const head = /^\**Action\**:\**[ \t]*([^\n]*)\n/i;
const inputHead = /^\s*\**Action[ _]?Input\**:\**[ \t]*/i;
const nothing = /^(?:none|n\/a|final answer|finish)\b/i;
/** What follows an input that is no JSON. */
const nextLine = /\n\s*(?:\**Observation|\**Thought|\**Action|\n)/i;

/**
 * Reads ReAct's `Action: …` and `Action Input: …` (Yao et al., 2022; LangChain's prompts).
 *
 * @returns how much of the text was read; null if more text is needed
 */
export function readAction(
  text: string,
  names: ToolNames,
  isLast: boolean,
): { length: number; calls: WrittenCall[] } | null {
  const line = head.exec(isLast && !text.includes("\n") ? `${text}\n` : text);
  if (line === null) return isLast ? { length: text.length, calls: [] } : null;
  const headLength = Math.min(line[0].length, text.length);
  const written = line[1]!.trim().replaceAll(/^[[`"*]+|[\]`"*]+$/g, "");
  if (written.includes("(")) {
    const calls = readCallBody(written, names, false);
    return { length: headLength, calls };
  }
  const rest = text.slice(headLength);
  const input = inputHead.exec(rest);
  if (input === null) {
    const mayFollow = /^\s*(?:\**(?:A(?:c(?:t(?:i(?:o(?:n[^\n:]{0,8}\**)?)?)?)?)?)?)?$/i.test(rest);
    if (mayFollow && !isLast) return null;
    const isCall = names.isOffered(written);
    return { length: headLength, calls: isCall ? toCalls(written, "", names) : [] };
  }
  const from = input[0].length;
  const given = rest.slice(from);
  if (given.trim() === "" && !isLast) return null;
  if (/^\s*(?:```\w*\s*)?[{[]/.test(given)) {
    const json = given.search(/[{[]/);
    const end = findJsonEnd(given, json);
    if (end === -1 && !isLast) return null;
    const value = given.slice(json, end === -1 ? undefined : end);
    const length = headLength + from + (end === -1 ? given.length : end);
    return { length, calls: toCalls(written, value, names) };
  }
  const next = nextLine.exec(given);
  if (next === null && !isLast) return null;
  const value = next === null ? given : given.slice(0, next.index);
  return { length: headLength + from + value.length, calls: toCalls(written, value.trim(), names) };
}

function toCalls(written: string, value: string, names: ToolNames): WrittenCall[] {
  if (written === "" || nothing.test(written) || /\s/.test(written.trim())) return [];
  const { name, tool } = names.find(written);
  return [{ name, input: writeInput(value.replaceAll(/^`+|`+$/g, ""), tool) }];
}
