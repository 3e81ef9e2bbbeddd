import { isDeepStrictEqual } from "node:util";
import {
  type AnswerKind,
  type ChatMode,
  CitationFilter,
  type KnownFault,
  type OpenReasoningSpan,
  type ReasoningSpan,
  type RunStep,
  reasoningTags,
  type SourceWire,
  type ToolCall,
} from "@carrel/contracts";
import { addTokens, findPrice, noTokens, type TokenCount, type Usage } from "@carrel/providers";
import { stripNullCharacters } from "../database/null-character.ts";
import { emptyNotes } from "../inspection/inspection-record.ts";
import type { PriceLookup } from "../setting/settings-cache.ts";
import type { ReadContent } from "../turn/turn.entity.ts";

/** Interval for announcing the time spent on reasoning, for readers that join while it lasts. */
const announceMs = 1_000;

/**
 * The text of an answer as it grows: reasoning goes inline between `<think>` and `</think>`
 * (wire-contract 4.3), and marks without a source are dropped, even if they are split across
 * deltas.
 */
export class AnswerText {
  private readonly filter: CitationFilter;
  private readonly spans: OpenReasoningSpan[] = [];
  private changed: OpenReasoningSpan[] = [];
  /** When the open reasoning began and was last announced; null: the model isn't thinking. */
  private thinking: { since: number; announced: number } | null = null;
  private startedAt: number | null = null;
  /** Whether the text so far turned out to be reasoning that lacks its opening tag. */
  private lacksOpeningTag = false;
  private readonly pieces: string[] = [];
  private joined = "";
  /** Length of the text shown so far, in UTF-16 units. */
  length = 0;

  /** @param now in ms */
  constructor(
    sourceCount: () => number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.filter = new CitationFilter(sourceCount);
  }

  /** @returns the part of it that can be shown now */
  pushText(delta: string): string {
    this.startedAt ??= this.now();
    return this.endReasoning() + this.add(this.filter.push(delta));
  }

  /** @returns the part of it that can be shown now */
  pushReasoning(delta: string): string {
    return this.beginReasoning() + this.add(this.filter.push(delta));
  }

  /**
   * Call when the text so far turns out to be reasoning. It has been shown, so existing clients see
   * only its end; what is stored begins with the tag.
   * @returns what can be shown now
   */
  textWasReasoning(): string {
    const rest = this.add(this.filter.end());
    if (this.length === 0 || this.spans.length > 0) return rest;
    this.lacksOpeningTag = true;
    const closing = this.add(reasoningTags.close);
    const milliseconds = this.now() - (this.startedAt ?? this.now());
    this.note({ start: 0, end: this.length, milliseconds });
    return rest + closing;
  }

  /** Continues with text that an earlier run has written; returns what can be shown now. */
  restore({ text, reasoning, lacksOpeningTag }: WrittenText): string {
    for (const span of reasoning) this.note({ ...span, milliseconds: span.milliseconds ?? 0 });
    this.lacksOpeningTag ||= lacksOpeningTag;
    return this.add(text);
  }

  /** What was written from this position on, for `restore`; positions are those of all text. */
  takeFrom(position: number): WrittenText {
    return {
      text: this.joinPieces().slice(position),
      reasoning: this.spans
        .filter(({ start }) => start >= position)
        .map((span) => ({ ...span, end: span.end ?? this.length })),
      lacksOpeningTag: this.lacksOpeningTag,
    };
  }

  /** How far positions in the text as it was sent are from those in the stored text. */
  get addedLength(): number {
    return this.lacksOpeningTag ? reasoningTags.open.length : 0;
  }

  /** Adds text whose marks need no filtering. */
  pushVerbatim(text: string): string {
    return this.add(text);
  }

  /** @returns the text held back, and the closing tag of reasoning that was cut off */
  end(): string {
    return this.thinking === null ? this.add(this.filter.end()) : this.endReasoning();
  }

  /**
   * Returns reasoning that has begun, continued or ended since the last call; send it before the
   * text.
   */
  takeChanges(): OpenReasoningSpan[] {
    return this.changed.splice(0);
  }

  /** Returns all text so far, as it is stored. */
  toString(): string {
    const text = this.joinPieces();
    return this.lacksOpeningTag ? reasoningTags.open + text : text;
  }

  private joinPieces(): string {
    if (this.pieces.length > 0) {
      this.joined += this.pieces.join("");
      this.pieces.length = 0;
    }
    return this.joined;
  }

  /** Returns which parts of the stored text are reasoning. */
  listReasoning(): ReasoningSpan[] {
    const added = this.addedLength;
    return this.spans.map(({ start, end, milliseconds }) => ({
      start: start === 0 ? 0 : start + added,
      end: (end ?? this.length) + added,
      milliseconds: Math.round(end === null ? this.thinkingTime() : milliseconds),
    }));
  }

  private beginReasoning(): string {
    const now = this.now();
    if (this.thinking !== null) {
      if (now - this.thinking.announced >= announceMs) {
        this.thinking.announced = now;
        this.note({ ...this.spans.at(-1)!, milliseconds: this.thinkingTime() });
      }
      return "";
    }
    const rest = this.add(this.filter.end());
    this.thinking = { since: now, announced: now };
    this.note({ start: this.length, end: null, milliseconds: 0 });
    return rest + this.add(reasoningTags.open);
  }

  private endReasoning(): string {
    if (this.thinking === null) return "";
    const rest = this.add(this.filter.end() + reasoningTags.close);
    const { start } = this.spans.at(-1)!;
    this.note({ start, end: this.length, milliseconds: this.thinkingTime() });
    this.thinking = null;
    return rest;
  }

  private thinkingTime(): number {
    return this.thinking === null ? 0 : this.now() - this.thinking.since;
  }

  private note(span: OpenReasoningSpan): void {
    const rounded = { ...span, milliseconds: Math.round(span.milliseconds) };
    if (this.spans.at(-1)?.start === span.start) this.spans.pop();
    this.spans.push(rounded);
    this.changed.push(rounded);
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

/** Text as it was sent, with the parts of it that are reasoning. */
export interface WrittenText {
  text: string;
  reasoning: ReasoningSpan[];
  /** Whether it turned out to be reasoning that lacks its opening tag. */
  lacksOpeningTag: boolean;
}

/** Receives an answer while it is being written. */
export interface AnswerOutput {
  /** Shows the user a notice along with the answer. */
  notify(notice: KnownFault): void;
  /** Shows how many answers the model writes first; 0 when it begins with this one. */
  showQueue(ahead: number): void;
  /** Announces the first text, with the sources its citation marks can refer to. */
  startWriting(sources: SourceWire[], kind?: AnswerKind | null): void;
  /** @param reasoning which part of the text is reasoning; readers learn it before the text */
  sendText(delta: string, reasoning?: readonly OpenReasoningSpan[]): void;
  /** Shows a step, or what has changed about it. */
  sendStep(step: RunStep): void;
  /** Announces the sources again, because a step has added some. */
  sendSources(sources: SourceWire[]): void;
  /** Withdraws what was sent from this position of the text on, so that other text can follow. */
  rewind(to: number): Promise<void>;
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
  mode: ChatMode = "chat";
  /** null: it answers the question. */
  kind: AnswerKind | null = null;
  provider: string | null = null;
  findPrice: PriceLookup = findPrice;
  model: string | null = null;
  /** Of the last call. */
  usage: Usage | null = null;
  /** Tokens of earlier calls of this answer, which are recorded as usage already. */
  spent: TokenCount = noTokens;
  /** Where in the text the last call's reply begins; null: what all calls used is recorded. */
  replyFrom: number | null = 0;
  /** What its tools do; replaced whenever one changes. */
  steps: readonly RunStep[] = [];
  /** What it may repeat; null: unknown, until it is asked for. */
  read: Readonly<ReadContent> | null = null;
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

  /** @param notices already shown by an earlier run */
  constructor(public notices: KnownFault[] = []) {}

  /** Shows a notice at once, unless an earlier run has, and keeps it with the turn. */
  notify(output: AnswerOutput, notice: KnownFault): void {
    if (this.notices.some((shown) => isDeepStrictEqual(shown, notice))) return;
    this.notices = [...this.notices, notice];
    output.notify(notice);
  }

  /** Call when what the last call used is recorded: the answer's end doesn't count it again. */
  noteSpent(tokens: TokenCount): void {
    this.spent = addTokens(this.spent, tokens);
    this.usage = null;
    this.replyFrom = null;
  }

  /** Steps with positions in the stored text. */
  listSteps(): RunStep[] {
    const { addedLength } = this.text;
    return this.steps.map((step) => ({ ...step, at: step.at + addedLength }));
  }

  /** Sets the sources shown with the answer; citation marks can refer only to these. */
  setSources(sources: SourceWire[]): void {
    this.sources = sources;
    this.sourceCount = sources.length;
  }
}
