import type { Target } from "./rtf-state.ts";

/** What an RTF document says beside its text: footnotes, comments, headers and footers. */
export class RtfAsides {
  /** How many have begun. */
  footnotes = 0;
  readonly footers: string[] = [];
  private readonly seen = new Set<string>();
  /** Written after the paragraph that is being read. */
  private notes: string[] = [];
  private author = "";

  take(): string[] {
    return this.notes.splice(0);
  }

  /** Whether a header or footer is there for the first time; it is on every page. */
  isNew(text: string): boolean {
    const isNew = text !== "" && !this.seen.has(text);
    this.seen.add(text);
    return isNew;
  }

  /** Returns the paragraph that it belongs to, with its mark. */
  add(kind: Target["kind"], text: string, paragraph: string): string {
    if (kind === "author") this.author = text;
    else if (kind === "comment")
      this.notes.push(this.author === "" ? `Comment: ${text}` : `${this.author}: ${text}`);
    else if (kind === "box") this.notes.push(text);
    else if (kind === "footnote") {
      const mark = `[${this.footnotes}]`;
      this.notes.push(text.startsWith(mark) ? text : `${mark} ${text}`);
      return paragraph.trimEnd().endsWith(mark) ? paragraph : paragraph + mark;
    } else if (this.isNew(text)) (kind === "footer" ? this.footers : this.notes).push(text);
    return paragraph;
  }
}
