import { CitationFilter } from "@carrel/contracts";
import { stripNullCharacters } from "../database/null-character.ts";

/**
 * The text of an answer as it grows: reasoning goes inline between `<think>` and `</think>`
 * (wire-contract 4.3), and marks without a source are dropped, even if they are split across
 * deltas.
 */
export class AnswerText {
  private readonly filter: CitationFilter;
  private isThinking = false;
  private readonly pieces: string[] = [];
  private joined = "";
  /** Length of the text shown so far, in UTF-16 units. */
  length = 0;

  constructor(sourceCount: () => number) {
    this.filter = new CitationFilter(sourceCount);
  }

  /** @returns the part of it that can be shown now */
  pushText(delta: string): string {
    if (!this.isThinking) return this.add(this.filter.push(delta));
    this.isThinking = false;
    return this.add(this.filter.end() + "</think>" + this.filter.push(delta));
  }

  pushReasoning(delta: string): string {
    if (this.isThinking) return this.add(this.filter.push(delta));
    this.isThinking = true;
    return this.add(this.filter.end() + "<think>" + this.filter.push(delta));
  }

  /**
   * The text so far turns out to be reasoning. What has been shown stays as it is until the answer
   * is loaded again.
   *
   * @returns the text held back, and the closing tag
   */
  textWasReasoning(): string {
    const rest = this.filter.end();
    this.add(rest);
    this.joined = `<think>${this.toString()}</think>`;
    this.length = this.joined.length;
    return `${rest}</think>`;
  }

  /** Adds text whose marks need no filtering. */
  pushVerbatim(text: string): string {
    return this.add(text);
  }

  /** @returns the text held back, and the closing tag of reasoning that was cut off */
  end(): string {
    const held = this.filter.end();
    const rest = this.isThinking ? `${held}</think>` : held;
    this.isThinking = false;
    return this.add(rest);
  }

  /** Returns all text shown so far. */
  toString(): string {
    if (this.pieces.length > 0) {
      this.joined += this.pieces.join("");
      this.pieces.length = 0;
    }
    return this.joined;
  }

  private add(text: string): string {
    const shown = stripNullCharacters(text);
    if (shown !== "") {
      this.pieces.push(shown);
      this.length += shown.length;
    }
    return shown;
  }
}
