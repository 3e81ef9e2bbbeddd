import { stripNullCharacters } from "../database/null-character.ts";
import { CitationFilter } from "./citation-filter.ts";

/**
 * The text of an answer while it grows: reasoning goes inline between `<think>` and `</think>`
 * (wire-contract 4.3),
 * marks without a source are dropped, also when a delta cuts them in two.
 */
export class AnswerText {
  private readonly filter: CitationFilter;
  private isThinking = false;
  private readonly pieces: string[] = [];
  private joined = "";
  /** Length in UTF-16 units of all that was shown. */
  length = 0;

  constructor(sourceCount: () => number) {
    this.filter = new CitationFilter(sourceCount);
  }

  /** @returns what may be shown of it now. */
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

  /** Text whose marks are right already. */
  pushVerbatim(text: string): string {
    return this.add(text);
  }

  /** @returns what was held back, and the end of a thought that was cut off. */
  end(): string {
    const held = this.filter.end();
    const rest = this.isThinking ? `${held}</think>` : held;
    this.isThinking = false;
    return this.add(rest);
  }

  /** All that was shown. */
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
