import type { SourceWire } from "@carrel/contracts";
import { stripNullCharacters } from "../database/null-character.ts";
import { emptyNotes } from "../inspection/run-notes.ts";
import { AnswerText } from "./answer-text.ts";

/** Where an answer goes while it is written. */
export interface AnswerOutput {
  /** Something the person should know, besides the answer. */
  notify(notice: string): void;
  /** The first text follows; these are the sources that its marks can point at. */
  startWriting(sources: SourceWire[]): void;
  sendText(delta: string): void;
  /** There is no room for more text. */
  readonly isFull: boolean;
}

/** An answer as far as it has come; progress is saved from it, and the ending is built from it. */
export class AnswerDraft {
  private sourceCount = 0;
  readonly text = new AnswerText(() => this.sourceCount);
  sources: SourceWire[] = [];
  mode: "chat" | "query" = "chat";
  provider: string | null = null;
  model: string | null = null;
  usage: { inputTokens: number; outputTokens: number } | null = null;
  promptText = "";
  notices: string[] = [];
  /** Ids of the memories in the prompt. */
  usedMemories: number[] = [];
  /** Whether memories may be extracted from the question. */
  allowsExtraction = false;
  /** When the answerer was asked (performance.now()). */
  askedAt: number | null = null;
  refusal: { text: string; isEmptyWorkspace: boolean } | null = null;
  /** For the inspector, which builds its record after the answer has ended. */
  readonly notes = emptyNotes();

  /** A notice is shown at once and kept with the turn. */
  notify(output: AnswerOutput, notice: string): void {
    this.notices = [...this.notices, stripNullCharacters(notice)];
    output.notify(notice);
  }

  /** The sources that the answer shows; citation marks can point only at these. */
  setSources(sources: SourceWire[]): void {
    this.sources = sources;
    this.sourceCount = sources.length;
  }
}
