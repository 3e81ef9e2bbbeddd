import { clipText } from "@carrel/contracts";

/** Of a line, as much as tells whether it begins or ends a fence. */
const longestHead = 100;
const fenceLine = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?(`{3,}|~{3,})(.*)$/;

/** Whether a text that comes in pieces is in Markdown code at the moment. */
export class CodePosition {
  /** What began the block; empty outside. */
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
