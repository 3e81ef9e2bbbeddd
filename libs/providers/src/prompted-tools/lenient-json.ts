import { jsonrepair } from "jsonrepair";

/** Deeper values are rejected: recursive readers would overflow the stack. */
const deepest = 100;

/**
 * Finds the end of a JSON value in text that arrives in pieces. Tolerates what models write:
 * single quotes, comments, line breaks in strings.
 */
export class JsonEnd {
  private depth = 0;
  private quote = "";
  private isEscaped = false;
  private comment: "" | "line" | "block" = "";
  private last = "";
  private before = "";

  get isInString(): boolean {
    return this.quote !== "";
  }

  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** Reads one character; returns whether it ends the value. */
  read(char: string): boolean {
    if (this.comment !== "") return this.readComment(char);
    if (this.quote !== "") {
      if (this.isEscaped) this.isEscaped = false;
      else if (char === "\\") this.isEscaped = true;
      else if (char === this.quote) this.quote = "";
      this.last = char;
      return false;
    }
    if (this.last === "/" && (char === "/" || char === "*") && this.depth > 0) {
      this.comment = char === "/" ? "line" : "block";
      this.last = "";
      return false;
    }
    // An apostrophe elsewhere is part of a word.
    if (char === '"' || (char === "'" && /[{[(,:=]/.test(this.before))) this.quote = char;
    else if (char === "{" || char === "[" || char === "(") this.depth++;
    else if (char === "}" || char === "]" || char === ")") this.depth--;
    this.last = char;
    if (!/\s/.test(char)) this.before = char;
    return this.depth <= 0 && (char === "}" || char === "]" || char === ")");
  }

  private readComment(char: string): boolean {
    if (this.comment === "line" ? char === "\n" : this.last === "*" && char === "/")
      this.comment = "";
    this.last = this.comment === "" ? "" : char;
    return false;
  }
}

/** Where the value that starts at `from` ends, exclusively; -1 if the text ends before it. */
export function findJsonEnd(text: string, from: number): number {
  const end = new JsonEnd();
  for (let at = from; at < text.length; at++) if (end.read(text[at]!)) return at + 1;
  return -1;
}

/** Whether the value that starts at `from` is cut off within a string. */
export function endsInString(text: string, from: number): boolean {
  const end = new JsonEnd();
  for (let at = from; at < text.length; at++) if (end.read(text[at]!)) return false;
  return end.isInString;
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const char of text)
    if (char === "{" || char === "[") {
      if (++depth > deepest) return true;
    } else if (char === "}" || char === "]") depth--;
  return false;
}

/** Backslashes that escape nothing stand for themselves, as in `C:\path`. */
const keepBackslashes = (text: string): string =>
  text.replaceAll(/\\(u[\da-fA-F]{4}|["'\\/bfnrt\n])|\\/g, (whole, escaped?: string) =>
    escaped === undefined ? "\\\\" : whole,
  );

/** Parses an object or array, repairing it if necessary; undefined if it is neither. */
export function parseLenient(text: string): object | undefined {
  if (isTooDeep(text)) return undefined;
  for (const read of [JSON.parse, (json: string) => JSON.parse(jsonrepair(keepBackslashes(json)))])
    try {
      const value: unknown = read(text);
      return typeof value === "object" && value !== null ? value : undefined;
    } catch {
      // Repaired next, or not JSON at all.
    }
  return undefined;
}
