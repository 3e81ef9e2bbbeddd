import {
  CitationFilter,
  ReasoningSplitter,
  clipText,
  numberCitations,
  readHistory,
  renderFault,
  splitReasoning,
  type CarrelFrame,
  type Conversation,
  type HistoryItem,
  type OpenReasoningSpan,
  type Out,
  type RecordedReasoning,
  type SourceWire,
  type VisitorSource,
  type admitVisitor,
  type readWidgetHistory,
} from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import { isCarrelFrame, type FrameSink } from "../chat/generation-relay.ts";
import type { EventStream } from "../stream/event-stream.ts";

/**
 * How a visitor's widget receives reasoning: existing widgets in the text (`inline`, wire-contract
 * 8.3), ours in a separate field (`apart`) or not at all (`hidden`).
 */
export type VisitorReasoning = "inline" | "apart" | "hidden";

/** Reasoning and the text after it each start a new paragraph. */
const stepBreak = "\n\n";

/** Removes reasoning from an answer that arrives in pieces. */
class VisitorSplitter {
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

/** Maximum characters of one passage. */
const longestPassage = 4_000;
const linkPrefix = "link://";
/**
 * The part of a passage's text that is for the model and names the document (wire-contract 4.8).
 */
const header = /^<document_metadata>[\s\S]*?<\/document_metadata>\s*/;

/** Leaves out everything that locates the document. */
export const visitorSources = (sources: readonly SourceWire[]): VisitorSource[] =>
  sources.map(({ title, text, page, chunkSource }, index) => ({
    title,
    text: clipText(text.replace(header, ""), longestPassage),
    page: page ?? null,
    number: index + 1,
    url: readWebAddress(chunkSource),
  }));

function readWebAddress(chunkSource: string): string | null {
  const address = chunkSource.startsWith(linkPrefix) ? chunkSource.slice(linkPrefix.length) : "";
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}

const failure = renderFault({ code: "visitor.answer-failed" });

interface Frame {
  type?: string;
  uuid?: string;
  id?: string;
  textResponse?: string | null;
  sources?: SourceWire[];
  close?: boolean;
}

/** Without their sources, citation marks mean nothing to a visitor. */
const withoutMarks = (text: string): string => numberCitations(text, 0);

/**
 * Frames as visitors receive them (wire-contract 8.3): texts and whatever ends them, without chat
 * IDs, figures, notices, and reasons for failures, which may name the instance's models and
 * addresses.
 */
export function shapeForVisitors(
  showSources: boolean,
  reasoning: VisitorReasoning = "inline",
): (frame: string) => string | null {
  let marks = showSources ? null : new CitationFilter(() => 0);
  const thoughtMarks = new CitationFilter(() => (showSources ? Infinity : 0));
  const splitter = reasoning === "inline" ? null : new VisitorSplitter();
  let last: Frame = {};
  return (frame) => {
    if (isCarrelFrame(frame)) {
      const told = JSON.parse(frame) as CarrelFrame;
      if (told.type !== "generationReasoning" || splitter?.announce(told) !== true) return null;
      if (marks !== null) marks = new CitationFilter(() => 0);
      return JSON.stringify({ ...last, textResponse: "", wereThoughts: true });
    }
    const { type, uuid, id, textResponse, sources = [], close } = JSON.parse(frame) as Frame;
    const name = uuid === undefined ? { id } : { uuid };
    const text = textResponse ?? "";
    if (type === "textResponseChunk") {
      const split = splitter?.push(text) ?? { text, thoughts: "" };
      const shown =
        marks === null ? split.text : marks.push(split.text) + (close === true ? marks.end() : "");
      const thoughts =
        reasoning === "apart"
          ? thoughtMarks.push(split.thoughts) + (close === true ? thoughtMarks.end() : "")
          : "";
      // What may be the start of a mark is held back.
      if (shown === "" && thoughts === "" && text !== "" && close !== true) return null;
      const shaped = {
        ...name,
        sources: showSources && close === true ? visitorSources(sources) : [],
        type,
        textResponse: shown,
        ...(thoughts !== "" && { thoughts }),
        close,
        error: false,
      };
      last = { ...shaped, sources: [] };
      return JSON.stringify(shaped);
    }
    if (type === "textResponse")
      return JSON.stringify({
        ...name,
        sources: showSources && close === true ? visitorSources(sources) : [],
        type,
        textResponse: showSources ? text : withoutMarks(text),
        close,
        error: null,
      });
    if (type !== "abort") return null;
    return JSON.stringify({
      ...name,
      type,
      textResponse: null,
      sources: [],
      close: true,
      error: failure,
      errorMsg: failure,
    });
  };
}

/** An event stream to a visitor. */
export class VisitorStream implements FrameSink {
  readonly carrel = false;
  readonly readsReasoning: boolean;
  private readonly shape: (frame: string) => string | null;

  constructor(
    private readonly stream: EventStream,
    showSources: boolean,
    reasoning: VisitorReasoning,
  ) {
    this.readsReasoning = reasoning !== "inline";
    this.shape = shapeForVisitors(showSources, reasoning);
  }

  get signal(): AbortSignal {
    return this.stream.signal;
  }

  get leftByClient(): boolean {
    return this.stream.leftByClient;
  }

  async send(frame: string): Promise<void> {
    const shaped = this.shape(frame);
    if (shaped !== null) await this.stream.send(shaped);
  }

  end(): void {
    this.stream.end();
  }
}

/** Maximum pages; longer sessions lose their oldest messages. */
const maxPages = 20;

type Item = HistoryItem & { reasoning?: RecordedReasoning | null };
type Items = Out<typeof readWidgetHistory>["history"];

/** The part of a session that its visitor may read. */
@Injectable()
export class VisitorHistory {
  constructor(private readonly requests: RequestClient) {}

  async read(
    { scope, showSources }: Out<typeof admitVisitor>,
    conversation: Conversation,
    shown: VisitorReasoning,
  ): Promise<Items> {
    const pages: Item[][] = [];
    let before: number | null = null;
    for (let count = 0; count < maxPages; count += 1) {
      const { page }: Out<typeof readHistory> = await this.requests.request(
        readHistory,
        { thread: null, conversation, before, knownVersion: null },
        { scope },
      );
      if (page === null) break;
      pages.unshift(JSON.parse(`[${page.items}]`) as Item[]);
      if (page.next === null) break;
      before = page.next;
    }
    const withMarks = (text: string): string => (showSources ? text : withoutMarks(text));
    return pages.flat().map(({ reasoning = null, ...item }) => {
      if (item.role === "user") return { ...item, attachments: [] };
      const split =
        shown === "inline"
          ? { answer: item.content, reasoning: [] }
          : splitReasoning(item.content, reasoning);
      const thoughts = split.reasoning.map(({ text }) => text).join("\n\n");
      return {
        ...item,
        content: withMarks(split.answer),
        ...(shown === "apart" && thoughts !== "" && { thoughts: withMarks(thoughts) }),
        sources: showSources ? visitorSources(item.sources) : [],
        feedbackScore: null,
        // Figures name the model and its cost, so they are left out.
        metrics: {},
      };
    });
  }
}
