import { CarrelError } from "@carrel/contracts";

type Container = unknown[] | Record<string, unknown>;
/** What may come next. */
type Expected = "value" | "first item" | "first key" | "key" | "colon" | "next" | "nothing";

const quote = 34,
  colon = 58,
  comma = 44,
  openList = 91,
  closeList = 93,
  openObject = 123,
  closeObject = 125;
const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9;
/** Every character that can occur in a number, `true`, `false` or `null`. */
const scalarText = /[-+.0-9a-zA-Z]*/y;
const longestScalar = 1_000;
/** Needs decoding, or is not allowed in a JSON string. */
const special = /[\\\p{Cc}]/u;
/** How many values a list or object counts as: an empty one costs as much as several texts. */
const containerWeight = 3;

export interface JsonLimits {
  /** Nesting levels of lists and objects. */
  depth: number;
  /** Number of values, excluding keys; a list or object counts as three. */
  values: number;
}

/**
 * Parses JSON piece by piece as it arrives, so that no body, however large, holds up other
 * requests, and a body with too many values or levels is rejected as soon as it exceeds its limit.
 * Accepts what `JSON.parse` accepts, except U+0000 in texts, which PostgreSQL can't store. Half
 * surrogate pairs become U+FFFD for the same reason.
 */
export class JsonReader {
  private readonly open: Container[] = [];
  private readonly keys: string[] = [];
  private expected: Expected = "value";
  private values = 0;
  private root: unknown;
  /** The string being read; null outside of strings. */
  private string: string | null = null;
  private isEscaped = false;
  /** A number or word, or the start of an escape sequence, that the next piece continues. */
  private rest = "";

  constructor(private readonly limits: JsonLimits) {}

  write(piece: string): void {
    const text = this.rest + piece;
    const isScalar = this.string === null && this.rest !== "";
    this.rest = "";
    let at = 0;
    if (this.string !== null) at = this.readString(text, at);
    else if (isScalar) at = this.readScalar(text, at);
    while (at < text.length) {
      const code = text.charCodeAt(at);
      if (isSpace(code)) at++;
      else if (code === quote) {
        if (this.expected === "colon") throw notJson();
        this.string = "";
        at = this.readString(text, at + 1);
      } else at = this.readSign(code, text, at);
    }
  }

  /** The parsed value; `{}` if there was nothing but white space. */
  end(): unknown {
    if (this.string !== null) throw notJson();
    if (this.rest !== "") this.add(parse(this.rest));
    if (this.expected === "value" && this.values === 0) return {};
    if (this.expected !== "nothing") throw notJson();
    return this.root;
  }

  private readSign(code: number, text: string, at: number): number {
    if (code === openList) this.enter([], "first item");
    else if (code === openObject) this.enter({}, "first key");
    else if (code === closeList) this.leave(true, "first item");
    else if (code === closeObject) this.leave(false, "first key");
    else if (code === colon) {
      if (this.expected !== "colon") throw notJson();
      this.expected = "value";
    } else if (code === comma) {
      if (this.expected !== "next") throw notJson();
      this.expected = Array.isArray(this.open.at(-1)) ? "value" : "key";
    } else return this.readScalar(text, at);
    return at + 1;
  }

  private readScalar(text: string, from: number): number {
    scalarText.lastIndex = from;
    scalarText.test(text);
    const end = scalarText.lastIndex;
    if (end === from || end - from > longestScalar) throw notJson();
    const scalar = text.slice(from, end);
    if (end === text.length) this.rest = scalar;
    else this.add(parse(scalar));
    return end;
  }

  /** Continues reading a string; returns where to continue after it. */
  private readString(text: string, from: number): number {
    const end = endOfString(text, from);
    if (end === -1) {
      const complete = endOfEscapes(text, from);
      this.decode(text.slice(from, complete));
      this.rest = text.slice(complete);
      return text.length;
    }
    this.decode(text.slice(from, end));
    const value = this.isEscaped ? this.string!.toWellFormed() : this.string!;
    this.string = null;
    this.isEscaped = false;
    if (this.expected === "key" || this.expected === "first key") {
      this.keys.push(value);
      this.expected = "colon";
    } else this.add(value);
    return end + 1;
  }

  private decode(raw: string): void {
    if (!special.test(raw)) {
      this.string += raw;
      return;
    }
    const decoded = parse(`"${raw}"`) as string;
    if (decoded.includes("\0")) throw new CarrelError("request.body-null-character");
    this.isEscaped = true;
    this.string += decoded;
  }

  private enter(container: Container, expected: Expected): void {
    this.count(containerWeight);
    if (this.open.length >= this.limits.depth)
      throw new CarrelError("request.body-too-deep", { limit: this.limits.depth });
    this.put(container);
    this.open.push(container);
    this.expected = expected;
  }

  private leave(isList: boolean, empty: Expected): void {
    const container = this.open.pop();
    const isDone = this.expected === "next" || this.expected === empty;
    if (container === undefined || !isDone || Array.isArray(container) !== isList) throw notJson();
    this.expected = this.open.length === 0 ? "nothing" : "next";
  }

  private add(value: unknown): void {
    this.count(1);
    this.put(value);
    this.expected = this.open.length === 0 ? "nothing" : "next";
  }

  private put(value: unknown): void {
    if (this.expected !== "value" && this.expected !== "first item") throw notJson();
    const container = this.open.at(-1);
    if (container === undefined) this.root = value;
    else if (Array.isArray(container)) container.push(value);
    else {
      const key = this.keys.pop()!;
      // Assigning `__proto__` would change the object's prototype instead of adding a key.
      if (key === "__proto__")
        Object.defineProperty(container, key, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      else container[key] = value;
    }
  }

  private count(weight: number): void {
    this.values += weight;
    if (this.values > this.limits.values)
      throw new CarrelError("request.body-too-complex", { limit: this.limits.values });
  }
}

const notJson = (cause?: unknown): CarrelError =>
  new CarrelError("request.body-not-json", {}, { cause });

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

/** Number of backslashes right before `at`, starting no earlier than `from`. */
function backslashes(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && text[start - 1] === "\\") start--;
  return at - start;
}

/** Index of the quote that ends the string; -1 if it isn't in this text. */
function endOfString(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end !== -1 && backslashes(text, from, end) % 2 === 1) end = text.indexOf('"', end + 1);
  return end;
}

/**
 * Where an escape sequence starts that the text doesn't complete; the text's length if there is
 * none.
 */
function endOfEscapes(text: string, from: number): number {
  const last = text.lastIndexOf("\\");
  const isRecent = last >= from && text.length - last < "\\u0000".length;
  if (!isRecent || backslashes(text, from, last + 1) % 2 === 0) return text.length;
  const isComplete = last + 1 < text.length && text[last + 1] !== "u";
  return isComplete ? text.length : last;
}
