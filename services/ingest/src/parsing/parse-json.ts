import { cleanText } from "./decode-text.ts";
import { parseText } from "./parse-text.ts";
import { longestText, tooLong, type ParsedText } from "./parsed-document.ts";

/** Maximum length of the shown part of a path, from its end. */
const longestPath = 300;
/**
 * Once long paths have made the text this many times as long as its source, and not a short one, less
 * of them is shown: one key of 1,000 characters above a list of 1 MB made a text of 152 MB.
 */
const mostGrowth = 4;
const shortText = 50_000;
const shortPath = 16;

/** Digits that a number would lose. */
const longNumber = /(?<![\w."])-?\d{16,}/;

/** A value, with numbers that JavaScript would round as they are written. */
function parseExactly(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text) as unknown;
  const keep = (_key: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === "number" && !Number.isSafeInteger(value) && context?.source !== undefined
      ? context.source
      : value;
  try {
    return JSON.parse(text, keep) as unknown;
  } catch (fault) {
    // Nested deeper than the stack, which only the plain parser isn't limited by.
    if (fault instanceof RangeError) return JSON.parse(text) as unknown;
    throw fault;
  }
}

function parseLines(text: string): unknown[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  try {
    return lines.map(parseExactly);
  } catch {
    return null;
  }
}

function parseAny(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return parseLines(text) ?? undefined;
  }
}

/**
 * One `path: value` line per value, with a blank line between the items of the outermost list; JSON
 * Lines are treated as a list. What isn't JSON, such as a file with comments or one that is cut off,
 * stays text. Iterative, because JSON may be nested deeper than the stack.
 */
export function parseJson(source: string): ParsedText {
  const text = cleanText(source);
  const value = parseAny(text.replace(/^\ufeff/, "").trim());
  if (value === undefined) return parseText(text);
  const lines: string[] = [];
  let length = 0;
  const write = (path: string, shown: string): void => {
    const isShortened = length > shortText + mostGrowth * text.length;
    const kept = isShortened ? path.slice(-shortPath) : path;
    lines.push(kept === "" ? shown : `${kept}: ${shown}`);
    length += lines.at(-1)!.length + 1;
    if (length > longestText) throw tooLong({ code: "file-kind.json" });
  };
  const stack: { path: string; value: unknown; depth: number }[] = [{ path: "", value, depth: 0 }];
  while (stack.length > 0) {
    const item = stack.pop()!;
    if (
      item.depth === 1 &&
      Array.isArray(value) &&
      lines.length > 0 &&
      item.value !== null &&
      typeof item.value === "object"
    )
      lines.push("");
    if (item.value === null || typeof item.value !== "object") {
      write(item.path, typeof item.value === "string" ? item.value : JSON.stringify(item.value));
      continue;
    }
    const entries = Array.isArray(item.value)
      ? item.value.map((child, i) => [String(i), child] as const)
      : Object.entries(item.value);
    for (let i = entries.length - 1; i >= 0; i--) {
      const [key, child] = entries[i]!;
      // Indexes of list items mean nothing to readers or search.
      const path = Array.isArray(item.value)
        ? item.path
        : item.path === ""
          ? key
          : `${item.path}.${key}`;
      stack.push({ path: path.slice(-longestPath), value: child, depth: item.depth + 1 });
    }
  }
  return { text: cleanText(lines.join("\n")).trimEnd(), headings: [], pages: [] };
}
