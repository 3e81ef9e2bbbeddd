import { readCallBody } from "./call-body.ts";
import { CallMarks, firstCharacter, type CallMark } from "./call-marks.ts";
import type { WrittenCall } from "./call-object.ts";
import { JsonEnd, findJsonEnd } from "./lenient-json.ts";
import { readAction } from "./react-call.ts";
import type { ToolNames } from "./tool-names.ts";

/** Receives a text whose calls are separated from it. */
export interface CallSink {
  text(piece: string): void;
  call(call: WrittenCall): void;
}

/** What may follow a call and means nothing. */
const leftover =
  /^(?:\s|[;,\]}]|`{3}|<\/?(?:tool_calls?|function_calls?|tool_use|tools|function|invoke|minimax:tool_call|seed:tool_call)>|<\/?[｜|‖]{1,2}\s?DSML[｜|‖]{1,2} ?\w+>|<\|(?:eom_id|eot_id|im_end|end|call|return|end_of_text|end_of_turn|tool_call_end|tool_calls_section_end|tool_call|\/tool_call|python_end|END_ACTION|tools_suffix|action_end)\|>|<｜(?:tool▁calls?▁end|end▁of▁sentence)｜>|<\/s>|<end_of_turn>)+/;
const openLeftover = /^<[/｜|‖\w:▁ ]{0,40}$/;
/** Models go on with results that they made up. */
const madeUpResult =
  /^(?:<tool_(?:response|result|output)|<function_(?:results?|response)|\**Observation\**:|<\|observation\|>|<\|start_header_id\|>(?:ipython|tool))/i;
const madeUpStarts = [
  "<tool_response",
  "<tool_result",
  "<tool_output",
  "<function_result",
  "observation:",
  "<|observation|>",
  "<|start_header_id|>",
];
/** A longer object is no call if it hasn't named a tool so far. */
const longestUnnamed = 2_000;
/** A fence that begins otherwise is no call. */
const fenceBeginning = /^\s*(?:[{[<]|print\s*\(|(?:\w+\s*=\s*)?[A-Za-z_][\w.]*\s*\(|Action)/;

type Tag = Extract<CallMark, { kind: "tag" }>;

/** A part of the text that may be a call, and how far it has been read. */
interface Open {
  mark: CallMark;
  /** How much of it has been read by `json`. */
  read: number;
  json: JsonEnd | null;
  /** Where its JSON value ended. */
  jsonEnd: number;
}

/**
 * Separates calls from a text that arrives in pieces: the text is passed on at once, except for
 * what may be the beginning of a call.
 */
export class CallScanner {
  /** Whether the model went on with results that it made up, so that nothing of use follows. */
  isOver = false;
  private readonly marks: CallMarks;
  private held = "";
  private open: Open | null = null;
  /** Within a fence that is no call: up to this line. */
  private fence = "";
  private isAfterCall = false;
  /** What has been passed on of the current line. */
  private line = "";

  constructor(
    private readonly names: ToolNames,
    private readonly sink: CallSink,
  ) {
    this.marks = new CallMarks(names);
  }

  push(piece: string): void {
    if (this.isOver) return;
    this.held += piece;
    while (this.step(false));
  }

  /** Reads what was held back. `isCut`: the text is incomplete, so an open call isn't one. */
  end(isCut = false): void {
    if (isCut && this.open !== null) this.release(this.held.length);
    while (this.held !== "" && this.step(true));
  }

  /** Reads on; false if more text is needed. */
  private step(isLast: boolean): boolean {
    if (this.isOver || this.held === "") return false;
    if (this.open !== null) return this.readOpen(this.open, isLast);
    if (this.fence !== "") return this.readFence(isLast);
    if (this.isAfterCall && !this.skipLeftovers(isLast)) return false;
    return this.readText(isLast);
  }

  private skipLeftovers(isLast: boolean): boolean {
    const found = leftover.exec(this.held);
    if (found !== null) this.held = this.held.slice(found[0].length);
    if (this.held === "") return false;
    if (madeUpResult.test(this.held)) {
      this.isOver = true;
      this.held = "";
      return false;
    }
    const start = this.held.toLowerCase();
    const isOpen = madeUpStarts.some((each) => each.startsWith(start)) || openLeftover.test(start);
    if (isOpen && !isLast) return false;
    this.isAfterCall = false;
    return true;
  }

  private readText(isLast: boolean): boolean {
    const { held } = this;
    for (let at = 0; at < held.length; at++) {
      const char = held[at]!;
      if (!firstCharacter.test(char)) continue;
      const line = this.lineBefore(at);
      const isLineStart = line.trim() === "";
      // Within a line, letters begin nothing.
      if (!isLineStart && /[A-Za-z_*`~]/.test(char)) continue;
      const found = this.marks.find(held.slice(at), isLineStart, line.at(-1) ?? "");
      if (found === null) continue;
      if (found === "maybe") {
        if (isLast) continue;
        this.show(at);
        return false;
      }
      this.show(at);
      this.open = { mark: found, read: 0, json: null, jsonEnd: -1 };
      return true;
    }
    this.show(held.length);
    return false;
  }

  private lineBefore(at: number): string {
    const from = this.held.lastIndexOf("\n", at - 1);
    return at > 0 && from !== -1
      ? this.held.slice(from + 1, at)
      : this.line + this.held.slice(0, at);
  }

  /** Passes on the first characters of what is held. */
  private show(length: number): void {
    if (length === 0) return;
    const piece = this.held.slice(0, length);
    this.held = this.held.slice(length);
    const from = piece.lastIndexOf("\n");
    // Its beginning is enough to see whether a line is blank.
    this.line = from === -1 ? this.line + piece : piece.slice(from + 1);
    if (this.line.length > 200) this.line = `…${this.line.slice(-20)}`;
    this.sink.text(piece);
  }

  /** What is open is no call. */
  private release(length: number): boolean {
    this.open = null;
    this.show(length);
    return this.held !== "";
  }

  private take(length: number, calls: readonly WrittenCall[]): boolean {
    if (calls.length === 0) return this.release(length);
    this.open = null;
    this.held = this.held.slice(length);
    this.isAfterCall = true;
    for (const call of calls) this.sink.call(call);
    return this.held !== "";
  }

  private readFence(isLast: boolean): boolean {
    const end = new RegExp(`(?:^|\\n)[ \\t]*${this.fence}[ \\t]*(?:\\n|$)`).exec(this.held);
    if (end !== null && (isLast || /\n$/.test(end[0]))) {
      this.fence = "";
      this.show(end.index + end[0].length);
      return this.held !== "";
    }
    // A line that may become the end is kept whole.
    const last = this.held.lastIndexOf("\n");
    const tail = last === -1 ? 0 : last;
    if (isLast || !/^\n?[ \t]*[`~]*[ \t]*$/.test(this.held.slice(tail)))
      this.show(this.held.length);
    else this.show(tail);
    return false;
  }

  private readOpen(open: Open, isLast: boolean): boolean {
    switch (open.mark.kind) {
      case "tag":
        return this.readTag(open, open.mark, isLast);
      case "channel":
        return this.readChannel(isLast);
      case "json":
        return this.readJson(open, isLast);
      case "python":
        return this.readPython(open, isLast);
      case "fence":
        return this.readFenced(open.mark.open, isLast);
      case "action":
        return this.readAction(isLast);
    }
  }

  private readTag(open: Open, mark: Tag, isLast: boolean): boolean {
    const isWhole = /[=\w]$|DSML.?.?$/i.test(mark.open);
    const from = isWhole ? 0 : mark.open === "functools[" ? mark.open.length - 1 : mark.open.length;
    const body = this.held.slice(from);
    const start = body.trimStart();
    if (start === "" && !isLast) return false;
    if (!mark.isToken && !isWhole) {
      const may = mayBeBody(start, this.names, isLast);
      if (may === null) return false;
      if (!may) return this.release(mark.open.length);
    }
    const end = this.findTagEnd(open, mark, from, isLast);
    if (end === null) return false;
    return this.take(end.after, readCallBody(this.held.slice(from, end.at), this.names, true));
  }

  /** Where a tag's body ends, and what closes it; null if more text is needed. */
  private findTagEnd(
    open: Open,
    mark: Tag,
    from: number,
    isLast: boolean,
  ): { at: number; after: number } | null {
    const { held } = this;
    const lower = held.toLowerCase();
    const isValue = /^\s*(?:\{|\[\s*[{\]])/.test(held.slice(from));
    const hasTags = /^\s*</.test(held.slice(from));
    for (let at = Math.max(open.read, from); at < held.length; at++) {
      open.read = at + 1;
      const isInString = !hasTags && open.json?.isInString === true;
      const close = isInString ? undefined : mark.closes.find((each) => lower.startsWith(each, at));
      if (close !== undefined && at > from) return { at, after: at + close.length };
      // A closing mark may be incomplete.
      if (
        !isLast &&
        !isInString &&
        held.length - at < 40 &&
        mark.closes.some((each) => each.startsWith(lower.slice(at)))
      ) {
        open.read = at;
        return null;
      }
      if (open.json === null && /[{[]/.test(held[at]!)) open.json = new JsonEnd();
      if (open.json === null || open.jsonEnd !== -1) {
        if (open.jsonEnd !== -1 && isValue && isOtherText(held.slice(open.jsonEnd)))
          return { at: open.jsonEnd, after: open.jsonEnd };
        continue;
      }
      if (!open.json.read(held[at]!)) continue;
      // A value may be followed by another one.
      if (isValue && isOtherText(held.slice(at + 1))) return { at: at + 1, after: at + 1 };
      if (isValue) open.jsonEnd = at + 1;
      open.json = null;
    }
    if (!isLast) return null;
    // Never closed, or closed only within a text that has an odd quote.
    const at = mark.closes.map((each) => lower.indexOf(each, from)).filter((each) => each > from);
    const first = at.length === 0 ? held.length : Math.min(...at);
    return { at: first, after: first };
  }

  private readChannel(isLast: boolean): boolean {
    const { held } = this;
    const json = held.search(/[{[]/);
    if (json === -1) return isLast || held.length > 400 ? this.release(held.length) : false;
    const end = findJsonEnd(held, json);
    if (end === -1 && !isLast) return false;
    const name = /to=([^\s<{]{1,100})/.exec(held.slice(0, json))?.[1] ?? "";
    const given = held.slice(json, end === -1 ? undefined : end);
    return this.take(
      end === -1 ? held.length : end,
      readCallBody(`${name} ${given}`, this.names, true),
    );
  }

  private readJson(open: Open, isLast: boolean): boolean {
    const { held } = this;
    open.json ??= new JsonEnd();
    for (; open.read < held.length; open.read++)
      if (open.json.read(held[open.read]!)) {
        const end = open.read + 1;
        return this.take(end, readCallBody(held.slice(0, end), this.names, false));
      }
    if (isLast) return this.take(held.length, readCallBody(held, this.names, false));
    if (held.length > longestUnnamed && !this.names.tools.some(({ name }) => held.includes(name)))
      return this.release(held.length);
    return false;
  }

  private readPython(open: Open, isLast: boolean): boolean {
    const { held } = this;
    open.json ??= new JsonEnd();
    for (; open.jsonEnd === -1 && open.read < held.length; open.read++)
      if (open.json.read(held[open.read]!)) open.jsonEnd = open.read + 1;
    const rest = open.jsonEnd === -1 ? "" : held.slice(open.jsonEnd);
    const line = rest.indexOf("\n");
    if (!isLast && (open.jsonEnd === -1 || line === -1)) return false;
    const end = open.jsonEnd === -1 ? held.length : open.jsonEnd;
    // A sentence about the tool.
    const isAlone = /^[ \t;,]*(?:#[^\n]*)?$/.test(line === -1 ? rest : rest.slice(0, line));
    return isAlone
      ? this.take(end, readCallBody(held.slice(0, end), this.names, false))
      : this.release(end);
  }

  private readFenced(opening: string, isLast: boolean): boolean {
    const { held } = this;
    const marker = /^(?:`+|~+)/.exec(opening)![0];
    const body = held.slice(opening.length);
    if (body.trim() === "" && !isLast) return false;
    const mayBeCall = isLast || body.length > 80 || body.includes("\n");
    if (mayBeCall && !fenceBeginning.test(body)) {
      this.fence = marker;
      return this.release(opening.length) || isLast;
    }
    const closing = new RegExp(`(?:^|\\n)[ \\t]*${marker}`).exec(body);
    if (closing === null && !isLast) return false;
    const inner = closing === null ? body : body.slice(0, closing.index);
    const end = closing === null ? held.length : opening.length + closing.index + closing[0].length;
    return this.take(end, this.readFencedCalls(inner));
  }

  private readFencedCalls(inner: string): WrittenCall[] {
    const isAction = /^\s*\**Action\**:/.test(inner);
    if (isAction) return readAction(inner, this.names, true)?.calls ?? [];
    const text = inner.trim();
    const calls = readCallBody(text, this.names, text.startsWith("<"));
    return calls.filter(({ name }) => this.names.isOffered(name));
  }

  private readAction(isLast: boolean): boolean {
    const found = readAction(this.held, this.names, isLast);
    if (found === null) return false;
    return this.take(found.length, found.calls);
  }
}

/** Whether what follows a value belongs neither to it nor to its mark. */
function isOtherText(rest: string): boolean {
  const next = rest.replace(/^[\s,;}\]]+/, "");
  return next !== "" && !/^[{[<]/.test(next);
}

/** Whether a tag's text can be a call rather than a sentence about the tag; null: not yet known. */
function mayBeBody(start: string, names: ToolNames, isLast: boolean): boolean | null {
  if (start === "") return false;
  if (/^[{[<`]/.test(start)) return true;
  const word = /^[\w.:-]+/.exec(start)?.[0];
  if (word === undefined) return false;
  const rest = start.slice(word.length);
  if (rest.trim() === "" && !rest.includes("\n") && !isLast) return null;
  return /^\s*(?:\n|[({<[])/.test(rest) || names.isOffered(word);
}

/** All calls in a finished text, and the text without them. */
export function scanText(text: string, names: ToolNames): { text: string; calls: WrittenCall[] } {
  let rest = "";
  const calls: WrittenCall[] = [];
  const scanner = new CallScanner(names, {
    text: (piece) => (rest += piece),
    call: (call) => calls.push(call),
  });
  scanner.push(text);
  scanner.end();
  return { text: rest, calls };
}
