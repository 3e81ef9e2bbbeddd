import type { KnownFault } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import {
  longestText,
  tooLong,
  type Heading,
  type ParsedPage,
  type ParsedText,
} from "./parsed-document.ts";

/** Collects blocks of text and records the positions of headings and pages. */
export class TextBuilder {
  private readonly parts: string[] = [];
  private length = 0;
  private readonly headings: Heading[] = [];
  private readonly pages: ParsedPage[] = [];
  private readonly notes = new Map<string, KnownFault>();
  private blankLines = 0;
  private toRecognise = 0;

  /** `what` names the file in the error for too much text. */
  constructor(private readonly what: KnownFault = { code: "file-kind.document" }) {}

  get atLineStart(): boolean {
    return this.length === 0 || this.blankLines > 0;
  }

  /** Adds text unchanged. */
  add(text: string): void {
    if (text === "") return;
    this.parts.push(text);
    this.length += text.length;
    if (this.length > longestText) throw tooLong(this.what);
    this.blankLines = text.endsWith("\n\n")
      ? 2
      : text.endsWith("\n")
        ? text === "\n"
          ? this.blankLines + 1
          : 1
        : 0;
  }

  /** Ends the line (1) or the paragraph (2), unless it is already ended or there is no text yet. */
  breakTo(newlines: 1 | 2): void {
    if (this.length === 0) return;
    while (this.blankLines < newlines) this.add("\n");
  }

  addHeading(title: string, level: number): void {
    const clean = title.replace(/\s+/g, " ").trim();
    if (clean === "") return;
    this.breakTo(2);
    this.headings.push({ start: this.length, level, title: clipText(clean, 300) });
    this.add(clean);
    this.breakTo(2);
  }

  addParagraph(text: string): void {
    const trimmed = text.trim();
    if (trimmed === "") return;
    this.breakTo(2);
    this.add(trimmed);
    this.breakTo(2);
  }

  /** Adds a text with its headings, each lowered by `deeper` levels. */
  addParsed({ text, headings, notes = [] }: ParsedText, deeper = 0): void {
    for (const note of notes) this.note(note);
    if (text === "") return;
    this.breakTo(2);
    for (const heading of headings)
      this.headings.push({
        ...heading,
        start: heading.start + this.length,
        level: heading.level + deeper,
      });
    this.add(text);
    this.breakTo(2);
  }

  /** Says something about the document, once. */
  note(note: KnownFault): void {
    this.notes.set(JSON.stringify(note), note);
  }

  /** Counts pictures that recognition would find more text in. */
  leaveToRecognition(count: number): void {
    this.toRecognise += count;
  }

  /** Starts a page (a slide), which ends where the next one starts. */
  startPage(): void {
    this.breakTo(2);
    const last = this.pages.at(-1);
    if (last) last.end = this.length;
    this.pages.push({
      page: this.pages.length + 1,
      start: this.length,
      end: this.length,
      width: 0,
      height: 0,
      runs: new Float32Array(),
    });
  }

  build(): ParsedText {
    const text = this.parts.join("").trimEnd();
    const pages = this.pages.map((page) => ({
      ...page,
      start: Math.min(page.start, text.length),
      end: Math.min(page === this.pages.at(-1) ? text.length : page.end, text.length),
    }));
    const notes = [...this.notes.values()];
    return {
      text,
      headings: this.headings,
      pages,
      ...(notes.length > 0 && { notes }),
      ...(this.toRecognise > 0 && { toRecognise: this.toRecognise }),
    };
  }
}
