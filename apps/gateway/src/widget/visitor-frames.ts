import {
  CitationFilter,
  clipText,
  numberCitations,
  renderFault,
  type CarrelFrame,
  type SourceWire,
  type VisitorSource,
} from "@carrel/contracts";
import { isCarrelFrame, type FrameSink } from "../chat/generation-relay.ts";
import type { EventStream } from "../stream/event-stream.ts";
import { VisitorSplitter, type VisitorReasoning } from "./visitor-reasoning.ts";

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
export const withoutMarks = (text: string): string => numberCitations(text, 0);

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
