import { ReasoningSplitter, type OpenReasoningSpan } from "@carrel/contracts";

/**
 * How a visitor's widget receives reasoning: existing widgets in the text (`inline`, wire-contract
 * 8.3), ours in a separate field (`apart`) or not at all (`hidden`).
 */
export type VisitorReasoning = "inline" | "apart" | "hidden";

/** Reasoning and the text after it each start a new paragraph. */
const stepBreak = "\n\n";

/** Removes reasoning from an answer that arrives in pieces. */
export class VisitorSplitter {
  private readonly splitter = new ReasoningSplitter();
  private hasText = false;
  private hasThoughts = false;
  private isAfterThought = false;
  private isNextThought = false;

  /** Returns whether all text so far turned out to be reasoning. */
  announce(span: OpenReasoningSpan): boolean {
    this.splitter.announce(span);
    const isLate = span.start === 0 && this.hasText && !this.hasThoughts;
    if (isLate) this.hasText = false;
    this.hasThoughts = true;
    return isLate;
  }

  push(chunk: string): { text: string; thoughts: string } {
    let [text, thoughts] = ["", ""];
    for (const piece of this.splitter.push(chunk)) {
      if (piece.type === "reasoning") {
        thoughts += this.isNextThought ? stepBreak + piece.text : piece.text;
        this.isNextThought = false;
        this.isAfterThought = true;
      } else {
        text += this.isAfterThought ? this.beginStep(piece.text) : piece.text;
        this.hasText ||= text !== "";
      }
    }
    return { text, thoughts };
  }

  private beginStep(text: string): string {
    const step = text.trimStart();
    if (step === "") return "";
    this.isAfterThought = false;
    this.isNextThought = true;
    return this.hasText ? stepBreak + step : step;
  }
}
