import { cleanText } from "./decode-text.ts";

/**
 * Limit on repeats of one cell or row, since sheets are often padded to their last row and column.
 */
const maxRepeated = 1_000;
export const countRepeated = (value: string | undefined): number =>
  Math.min(maxRepeated, Math.max(1, Number(value) || 1));

/** Collects text of paragraphs, where spaces, tabs and line breaks are elements. */
export class OdfWords {
  text = "";
  open(name: string, attributes: Record<string, string>): void {
    if (name === "s") this.text += " ".repeat(countRepeated(attributes.c));
    else if (name === "tab") this.text += "\t";
    else if (name === "line-break") this.text += "\n";
  }
  take(): string {
    const { text } = this;
    this.text = "";
    return cleanText(text).trim();
  }
}
