import type { KnownFault } from "@carrel/contracts";
import { cleanText } from "./decode-text.ts";
import { UnreadableError, type ParsedText } from "./parsed-document.ts";
import { parseText } from "./parse-text.ts";

function parseLines(text: string): unknown[] | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return null;
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    return null;
  }
}

/** Reports the line where the parser stopped but not the content there. */
function describe(fault: unknown, text: string): KnownFault {
  const position = Number(/at position (\d+)/.exec(String(fault))?.[1] ?? text.length);
  const line = text.slice(0, position).split("\n").length;
  return {
    code: "file.damaged-from-line",
    params: { what: { code: "file-kind.json" }, line },
  };
}

function parseAny(text: string, strict: boolean): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (fault) {
    const lines = parseLines(text);
    if (lines === null && strict)
      throw new UnreadableError(describe(fault, text), { cause: fault });
    return lines ?? undefined;
  }
}

/**
 * One `path: value` line per value, with a blank line between the items of the outermost list; JSON
 * Lines are treated as a list. Readable text that isn't JSON stays text unless `strict` (for a JSON
 * file), which throws UnreadableError. Iterative, because JSON may be nested deeper than the stack.
 */
export function parseJson(source: string, strict = false): ParsedText {
  const text = cleanText(source);
  const value = parseAny(text.trim(), strict);
  if (value === undefined) return parseText(text);
  const lines: string[] = [];
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
      const shown = typeof item.value === "string" ? item.value : JSON.stringify(item.value);
      lines.push(item.path === "" ? shown : `${item.path}: ${shown}`);
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
      stack.push({ path: path.slice(-300), value: child, depth: item.depth + 1 });
    }
  }
  return { text: cleanText(lines.join("\n")).trimEnd(), headings: [], pages: [] };
}
