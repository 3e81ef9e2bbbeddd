import { isDeepStrictEqual } from "node:util";
import type {
  AnswerKind,
  KnownFault,
  OpenReasoningSpan,
  SourceWire,
  ToolCall,
} from "@carrel/contracts";
import { findPrice, type Usage } from "@carrel/providers";
import type { PriceLookup } from "../setting/price-lookup.ts";
import { emptyNotes } from "../inspection/run-notes.ts";
import { AnswerText } from "./answer-text.ts";

/** Receives an answer while it is being written. */
export interface AnswerOutput {
  /** Shows the user a notice along with the answer. */
  notify(notice: KnownFault): void;
  /** Announces the first text, with the sources its citation marks can refer to. */
  startWriting(sources: SourceWire[], kind?: AnswerKind | null): void;
  sendText(delta: string): void;
  /** Says which part of the text is reasoning, before the text reaches it. */
  sendReasoning(span: OpenReasoningSpan): void;
  /** How long text is batched after the first piece, in ms. */
  readonly batchMs: number;
  /** Whether there is no room for more text. */
  readonly isFull: boolean;
}

/** An answer in progress: periodic saves and the ending are built from it. */
export class AnswerDraft {
  private sourceCount = 0;
  readonly text = new AnswerText(() => this.sourceCount);
  sources: SourceWire[] = [];
  mode: "chat" | "query" = "chat";
  /** null: it answers the question. */
  kind: AnswerKind | null = null;
  provider: string | null = null;
  findPrice: PriceLookup = findPrice;
  model: string | null = null;
  usage: Usage | null = null;
  /** Whether the model stopped at a limit of the answer's length. */
  isCut = false;
  /** What the model wants the client to do. */
  readonly toolCalls: ToolCall[] = [];
  promptText = "";
  /** IDs of the memories in the prompt. */
  usedMemories: number[] = [];
  /** Whether memories may be extracted from the question. */
  allowsExtraction = false;
  /** When the answerer was called, as `performance.now()`. */
  askedAt: number | null = null;
  /** When the model sent its first token. */
  firstTokenAt: number | null = null;
  refusal: { text: string; isEmptyWorkspace: boolean } | null = null;
  /** For the inspector, which builds its record after the answer has ended. */
  readonly notes = emptyNotes();

  /** @param notices those that an earlier run has shown */
  constructor(public notices: KnownFault[] = []) {}

  /** Shows a notice at once, unless an earlier run has, and keeps it with the turn. */
  notify(output: AnswerOutput, notice: KnownFault): void {
    if (this.notices.some((shown) => isDeepStrictEqual(shown, notice))) return;
    this.notices = [...this.notices, notice];
    output.notify(notice);
  }

  /** Sends what was added to the text. */
  send(output: AnswerOutput, shown: string): void {
    for (const span of this.text.takeChanges()) output.sendReasoning(span);
    if (shown !== "") output.sendText(shown);
  }

  /** Sets the sources shown with the answer; citation marks can refer only to these. */
  setSources(sources: SourceWire[]): void {
    this.sources = sources;
    this.sourceCount = sources.length;
  }
}
