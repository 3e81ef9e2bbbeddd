import { propertiesOf, writeInput } from "./call-input.ts";
import type { WrittenCall } from "./call-object.ts";
import type { ToolNames } from "./tool-names.ts";

/** Stops reading: the text isn't a call with literal arguments. */
class NotLiteral extends Error {}

const constants: Partial<Record<string, unknown>> = {
  True: true,
  true: true,
  False: false,
  false: false,
  None: null,
  null: null,
};
const closers: Partial<Record<string, string>> = { "[": "]", "(": ")", "{": "}" };
const escapes: Partial<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };
const deepest = 50;

interface Arguments {
  named: [string, unknown][];
  positional: unknown[];
}

/** Reads calls in Python's syntax; runs nothing. */
class PythonReader {
  at = 0;
  private depth = 0;
  constructor(private readonly text: string) {}

  match(pattern: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.text);
    if (found !== null) this.at = sticky.lastIndex;
    return found;
  }

  skip(): void {
    this.match(/(?:\s|#[^\n]*)*/);
  }

  get isOver(): boolean {
    return this.at >= this.text.length;
  }

  /** What stands between the parentheses; a missing closing one at the end is tolerated. */
  readArguments(): Arguments {
    const named: [string, unknown][] = [];
    const positional: unknown[] = [];
    for (;;) {
      this.skip();
      if (this.isOver || this.match(/\)/) !== null) return { named, positional };
      if (this.match(/\*\*/) !== null) {
        const value = this.readValue();
        if (typeof value !== "object" || value === null) throw new NotLiteral();
        named.push(...Object.entries(value));
      } else {
        const key = this.match(/([A-Za-z_]\w*)\s*[=:](?!=)\s*/)?.[1];
        if (key === undefined) positional.push(this.readValue());
        else named.push([key, this.readValue()]);
      }
      this.readSeparator(")");
    }
  }

  private readSeparator(closer: string): void {
    this.skip();
    if (this.match(/,/) === null && !this.isOver && this.text[this.at] !== closer)
      throw new NotLiteral();
  }

  private readValue(): unknown {
    this.skip();
    const text = this.readString();
    if (text !== undefined) return text;
    const number = this.match(/[-+]?(?:\d[\d_]*)?\.?\d[\d_]*(?:[eE][-+]?\d+)?/);
    if (number !== null) return Number(number[0].replaceAll("_", ""));
    const word = this.match(/[A-Za-z_]\w*/)?.[0];
    if (word !== undefined) {
      if (Object.hasOwn(constants, word)) return constants[word];
      throw new NotLiteral();
    }
    const closer = closers[this.text[this.at] ?? ""];
    if (closer === undefined || this.depth >= deepest) throw new NotLiteral();
    this.at++;
    this.depth++;
    const value = closer === "}" ? this.readDict() : this.readList(closer);
    this.depth--;
    return value;
  }

  private readList(closer: string): unknown[] {
    const items: unknown[] = [];
    for (;;) {
      this.skip();
      if (this.isOver) return items;
      if (this.text[this.at] === closer) {
        this.at++;
        return items;
      }
      items.push(this.readValue());
      this.readSeparator(closer);
    }
  }

  private readDict(): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    for (;;) {
      this.skip();
      if (this.isOver) return Object.fromEntries(entries);
      if (this.match(/\}/) !== null) return Object.fromEntries(entries);
      const key = this.readString() ?? this.match(/\w+/)?.[0];
      this.skip();
      if (key === undefined || this.match(/:/) === null) throw new NotLiteral();
      entries.push([key, this.readValue()]);
      this.readSeparator("}");
    }
  }

  private readString(): string | undefined {
    const [, raw = "", quote] = this.match(/([rRbBuU]?)("""|'''|"|')/) ?? [];
    if (quote === undefined) return undefined;
    let value = "";
    while (!this.isOver) {
      if (this.text.startsWith(quote, this.at)) {
        this.at += quote.length;
        return value;
      }
      let char = this.text[this.at++]!;
      if (char === "\\" && !/r/i.test(raw) && !this.isOver) {
        const next = this.text[this.at++]!;
        char = escapes[next] ?? (/[\\'"]/.test(next) ? next : `\\${next}`);
      }
      value += char;
    }
    // Cut off within a text: what is missing can't be known.
    throw new NotLiteral();
  }
}

/**
 * Reads `search(query="…")`, a list of such calls, or one in `print(…)`.
 *
 * @returns no calls if the text is anything else
 */
export function readPythonCalls(text: string, names: ToolNames, isSure: boolean): WrittenCall[] {
  const reader = new PythonReader(text);
  const calls: WrittenCall[] = [];
  try {
    reader.match(/[\s[]*/);
    while (!reader.isOver) {
      reader.match(/(?:print\s*\(|await\s+|\w+\s*=(?!=)\s*)?\s*/);
      const written = reader.match(/[A-Za-z_][\w.-]*/)?.[0];
      if (written === undefined || reader.match(/\s*\(/) === null) return [];
      const { name, tool, isGuess } = names.find(written.replace(/\.call$/, ""));
      if (!isSure && (tool === undefined || isGuess)) return [];
      const { named, positional } = reader.readArguments();
      const [first] = positional;
      if (named.length === 0 && positional.length === 1)
        calls.push({ name, input: writeInput(first, tool) });
      else {
        const properties = Object.keys(propertiesOf(tool?.inputSchema));
        const placed = positional.map(
          (value, index) => [properties[index] ?? `argument_${index + 1}`, value] as const,
        );
        calls.push({ name, input: writeInput(Object.fromEntries([...placed, ...named]), tool) });
      }
      reader.match(/[\s,;\])]*/);
      reader.skip();
    }
  } catch (fault) {
    if (fault instanceof NotLiteral) return [];
    throw fault;
  }
  return calls;
}
