import { clipText } from "@carrel/contracts";
import { HarmonyChannels, harmonyStarts } from "./harmony-channels.ts";
import {
  answerWrappers,
  anyOf,
  heldLength,
  mayStartWith,
  reasoningMarks,
  startsWith,
  type ReasoningMark,
  type ReasoningSink,
} from "./reasoning-marks.ts";

/**
 * Reasoning that the server sent in a separate field, to compare with the text, which may repeat
 * it. Kept in pieces: joining them each time would cost quadratic time.
 */
class ApartReasoning {
  private readonly pieces: string[] = [];
  /** How far the text has repeated it. */
  private index = 0;
  private offset = 0;

  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  /** Whether nothing has been repeated yet. */
  get isAtStart(): boolean {
    return this.index === 0 && this.offset === 0;
  }

  add(piece: string): void {
    const text = this.isEmpty ? piece.trimStart() : piece;
    if (text !== "") this.pieces.push(text);
  }

  rewind(): void {
    this.index = 0;
    this.offset = 0;
  }

  /** Whether the text continues like this reasoning. */
  repeats(text: string): boolean {
    let { index, offset } = this;
    for (let at = 0; at < text.length;) {
      const piece = this.pieces[index];
      if (piece === undefined) return false;
      const length = Math.min(piece.length - offset, text.length - at);
      if (!piece.startsWith(text.slice(at, at + length), offset)) return false;
      at += length;
      offset += length;
      if (offset < piece.length) continue;
      index++;
      offset = 0;
    }
    this.index = index;
    this.offset = offset;
    return true;
  }
}

/** How much of a line it takes to see whether it opens or closes a fence. */
const longestHead = 100;
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})(.*)$/;

/** Whether a text that comes in pieces is in Markdown code at the moment. */
class CodePosition {
  /** The fence that opened the block; empty outside. */
  private fence = "";
  private head = "";
  /** An odd number of backticks in a line leaves a span open. */
  private isInSpan = false;

  get isInCode(): boolean {
    return this.fence !== "" || this.isInSpan;
  }

  read(piece: string): void {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      this.readLine(piece.slice(from, end));
      this.endLine();
      from = end + 1;
    }
    this.readLine(piece.slice(from));
  }

  private readLine(text: string): void {
    this.head += clipText(text, longestHead - this.head.length);
    for (let at = text.indexOf("`"); at !== -1; at = text.indexOf("`", at + 1))
      this.isInSpan = !this.isInSpan;
  }

  private endLine(): void {
    const [, marker = "", info = ""] = fenceLine.exec(this.head) ?? [];
    if (this.fence === "") this.fence = info.includes("`") ? "" : marker;
    else if (marker.startsWith(this.fence) && info.trim() === "") this.fence = "";
    this.head = "";
    this.isInSpan = false;
  }
}

const opens = reasoningMarks.map(({ open }) => open);
const closings = reasoningMarks.flatMap((mark) => mark.closings);
const allMarks = new Set([...opens, ...closings].map((mark) => mark.toLowerCase()));
/** First characters of all marks. */
const firstLetter = /[<[◁]/;
const bareMarks = reasoningMarks.filter((mark) => mark.isOpenedByTemplates === true);
const bareOpens = bareMarks.map(({ open }) => open);
const bareClosings = bareMarks.flatMap((mark) => mark.closings);
/** Also matches tags with attributes. */
const anyBareOpen = new RegExp(`${anyOf(bareOpens).source}|<(?:think|seed:think)[\\s/]`, "i");
const anyBareClosing = anyOf(bareClosings, "");
/** Precedes a mark that the text quotes or mentions. */
const quoting = /["'`“”‘’«»(<[{=/\\*_,:]/;

/** Maximum blocks of reasoning at the start of an answer; no model writes more. */
const maxBlocks = 200;
/** A text that mentions this many closing marks is about marks. */
const maxMentions = 20;
/** More blanks than this say nothing about the mark before them. */
const maxBlanks = 200;

type State = "start" | "thinking" | "after" | "text" | "harmony";

/**
 * Separates the reasoning that an answer begins with from its text. Servers that don't parse their
 * model's output leave it there between marks; marks later in the text are text. If the server's
 * template opened the reasoning, only its closing mark is in the text, and shows late that
 * everything before it was reasoning.
 */
export class ReasoningSplitter {
  private state: State = "start";
  private held = "";
  private mark: ReasoningMark = reasoningMarks[0]!;
  /** The closing tag of the answer's wrapper, if it has one. */
  private wrapperEnd: string | null = null;
  /** Whether a closing mark without an opening one may still come. */
  private awaitsBareClosing = true;
  private blocks = 0;
  private mentioned = 0;
  /** The end of the text shown so far. */
  private lastShown = "";
  private hasText = false;
  private readonly position = new CodePosition();
  private readonly apart = new ApartReasoning();
  /** Reasoning in the text that has repeated `apart` so far, in pieces; null if it differs. */
  private repeated: string[] | null = null;
  private readonly harmony: HarmonyChannels;

  constructor(private readonly sink: ReasoningSink) {
    this.harmony = new HarmonyChannels(sink);
  }

  /** Adds a piece of reasoning from a separate field; some servers leave its marks in. */
  addReasoning(piece: string): void {
    if (allMarks.has(piece.trim().toLowerCase())) return;
    if (piece.trim() !== "") this.awaitsBareClosing = false;
    if (this.state !== "text") this.apart.add(piece);
    this.sink.reasoning(piece);
  }

  addText(piece: string): void {
    if (this.state === "text" && !this.awaitsBareClosing && this.wrapperEnd === null)
      return this.show(piece);
    if (piece !== "") this.read(this.held + piece);
  }

  /** Releases what might have been the beginning of a mark. */
  flush(): void {
    const rest = this.held;
    this.held = "";
    if (this.state === "harmony") this.harmony.end();
    else if (this.state === "thinking") this.think(rest);
    else if (this.state === "after") this.show(rest.trimStart());
    else if (rest !== "") this.readBare(rest, true);
    this.repeated = null;
  }

  private read(text: string): void {
    this.held = "";
    switch (this.state) {
      case "start":
      case "after":
        return this.readBeginning(text);
      case "thinking":
        return this.readReasoning(text);
      case "harmony":
        return this.harmony.push(text);
      case "text":
        return this.wrapperEnd === null ? this.readBare(text, false) : this.readWrapped(text);
    }
  }

  private readBeginning(text: string): void {
    const begun = text.trimStart();
    const mark = reasoningMarks.find(({ open }) => startsWith(begun, open));
    if (mark !== undefined && this.blocks++ < maxBlocks) {
      this.mark = mark;
      this.state = "thinking";
      this.awaitsBareClosing = false;
      this.repeated = this.apart.isEmpty ? null : [];
      this.apart.rewind();
      return this.read(begun.slice(mark.open.length));
    }
    if (harmonyStarts.some((start) => startsWith(begun, start))) {
      this.state = "harmony";
      return this.read(begun);
    }
    const isAfter = this.state === "after";
    const stray = bareClosings.find((closing) => startsWith(begun, closing));
    if (stray !== undefined) {
      this.state = "after";
      this.awaitsBareClosing = false;
      return this.read(begun.slice(stray.length));
    }
    const wrapper = isAfter ? answerWrappers.find(([open]) => startsWith(begun, open)) : undefined;
    if (wrapper !== undefined) {
      this.wrapperEnd = wrapper[1];
      return this.read(begun.slice(wrapper[0].length));
    }
    if (begun === "" && isAfter) return;
    if (this.mayBegin(begun, isAfter) && text.length - begun.length < maxBlanks) this.held = text;
    else {
      this.state = "text";
      this.read(isAfter ? begun : text);
    }
  }

  /** Whether more text could turn it into a mark. Blanks before an answer are kept. */
  private mayBegin(begun: string, isAfter: boolean): boolean {
    return (
      begun === "" ||
      reasoningMarks.some(({ open }) => mayStartWith(begun, open)) ||
      [...harmonyStarts, ...bareClosings].some((mark) => mayStartWith(begun, mark)) ||
      (isAfter && answerWrappers.some(([open]) => mayStartWith(begun, open)))
    );
  }

  private readReasoning(text: string): void {
    if (!firstLetter.test(text)) return this.think(text);
    const found = anyOf(this.mark.closings).exec(text);
    if (found !== null) {
      this.think(text.slice(0, found.index));
      this.repeated = null;
      this.state = "after";
      return this.read(text.slice(found.index + found[0].length));
    }
    const shown = text.length - heldLength(text, this.mark.closings);
    this.think(text.slice(0, shown));
    this.held = text.slice(shown);
  }

  /** Some servers send reasoning in a separate field and leave it in the text as well. */
  private think(piece: string): void {
    if (this.repeated === null) return this.sink.reasoning(piece);
    const text = this.apart.isAtStart ? piece.trimStart() : piece;
    this.repeated.push(piece);
    if (this.apart.repeats(text) || text.trim() === "") return;
    const held = this.repeated.join("");
    this.repeated = null;
    this.sink.reasoning(held);
  }

  /** Looks for a closing mark; text that mentions an opening one is about marks. */
  private readBare(text: string, isLast: boolean): void {
    let rest = text;
    while (this.awaitsBareClosing && firstLetter.test(rest)) {
      const closing = anyBareClosing.exec(rest);
      const open = anyBareOpen.exec(rest);
      if (open !== null && (closing === null || open.index < closing.index)) {
        this.awaitsBareClosing = false;
        break;
      }
      if (closing === null) {
        const held = isLast ? 0 : heldLength(rest, [...bareOpens, ...bareClosings]);
        this.show(rest.slice(0, rest.length - held));
        this.held = rest.slice(rest.length - held);
        return;
      }
      this.show(rest.slice(0, closing.index));
      rest = rest.slice(closing.index);
      const after = rest.slice(closing[0].length);
      const isMention = this.mentions(after);
      if (isMention === null && !isLast && after.length < maxBlanks) {
        this.held = rest;
        return;
      }
      if (isMention !== true) return this.endBare(after, isLast);
      this.show(closing[0]);
      rest = after;
      if (++this.mentioned === maxMentions) this.awaitsBareClosing = false;
    }
    this.show(rest);
  }

  /** Everything so far was reasoning. */
  private endBare(rest: string, isLast: boolean): void {
    this.awaitsBareClosing = false;
    if (this.hasText) this.sink.textWasReasoning();
    this.state = "after";
    if (!isLast) this.read(rest);
  }

  /** Whether the text between mentions the closing mark; null if more text is needed to tell. */
  private mentions(after: string): boolean | null {
    const before = this.lastShown;
    if (this.position.isInCode || quoting.test(before.at(-1) ?? "")) return true;
    if (/[ \t]$/.test(before)) return /^[^\S\n]*$/.test(after) ? null : !/^\s*\n/.test(after);
    // A sentence that continues after a line break.
    if (!/[\p{L}\p{N}]\s*\n$/u.test(before)) return false;
    return /^[^\S\n]*\n?$/.test(after) ? null : /^[^\S\n]*\n\p{Ll}/u.test(after);
  }

  private readWrapped(text: string): void {
    const end = this.wrapperEnd!;
    const found = anyOf([end]).exec(text);
    if (found === null) {
      const shown = text.length - heldLength(text, [end]);
      this.show(text.slice(0, shown));
      this.held = text.slice(shown);
      return;
    }
    this.wrapperEnd = null;
    this.show(text.slice(0, found.index) + text.slice(found.index + found[0].length));
  }

  private show(piece: string): void {
    if (piece === "") return;
    this.hasText = true;
    if (this.awaitsBareClosing) {
      this.position.read(piece);
      this.lastShown = (this.lastShown + piece).slice(-4);
    }
    this.sink.text(piece);
  }
}
