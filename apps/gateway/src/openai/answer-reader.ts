import {
  ReasoningSplitter,
  type CarrelFrame,
  type ChatCompletion,
  type MetricsWire,
  type RenameThreadFrame,
  type ResponseAnnotation,
  type SourceWire,
  type StreamFrame,
  type ToolCall,
} from "@carrel/contracts";
import type { FastifyRequest } from "fastify";
import type { FrameSink } from "../chat/generation-relay.ts";

type ChatAnnotation = ChatCompletion["choices"][number]["message"]["annotations"][number];

const citationMark = /\[(\d{1,3}(?:\s?,\s?\d{1,3})*)\](?!\()/g;

/**
 * One annotation for each place where the text cites a source, and one at the end of the text for
 * each source that it doesn't cite.
 */
export function annotate(text: string, sources: readonly SourceWire[]): ResponseAnnotation[] {
  const cited = new Set<number>();
  const annotations: ResponseAnnotation[] = [];
  const add = (index: number, start: number, end: number): void => {
    const source = sources[index];
    if (source === undefined) return;
    cited.add(index);
    annotations.push({
      type: "url_citation",
      start_index: start,
      end_index: end,
      title: source.title,
      url: source.url,
      carrel_source: source,
    });
  };
  if (sources.length > 0)
    for (const mark of text.matchAll(citationMark))
      for (const number of mark[1]!.split(","))
        add(Number(number) - 1, mark.index, mark.index + mark[0].length);
  sources.forEach((_, index) => {
    if (!cited.has(index)) add(index, text.length, text.length);
  });
  return annotations;
}

/** Chat completions put position, title and address in a separate object. */
export const toChatAnnotation = ({
  type,
  carrel_source,
  ...citation
}: ResponseAnnotation): ChatAnnotation => ({ type, url_citation: citation, carrel_source });

/**
 * Whether OpenAI's own package (or a library built on it) sent a request. It insists on OpenAI's
 * protocol where older clients expect the differences of wire-contract 9.6.
 */
export const usesOpenAiPackage = ({ headers }: Pick<FastifyRequest, "headers">): boolean =>
  headers["x-stainless-lang"] !== undefined;

/** Receives an answer's frames, to write them in another protocol. */
export interface AnswerEvents {
  text(piece: string): Promise<void>;
  /** The model's reasoning, which may continue between pieces of text. */
  reasoning(piece: string): Promise<void>;
  sources(text: string, sources: readonly SourceWire[]): Promise<void>;
  /** A complete text that no model wrote. */
  refused(text: string): Promise<void>;
  /** Nothing follows this. */
  failed(error: string): Promise<void>;
  finished(metrics: MetricsWire, calls: readonly ToolCall[]): Promise<void>;
}

/** Reads the frames of an answer for clients of another protocol. */
export class AnswerReader implements FrameSink {
  readonly carrel = false;
  readonly readsReasoning = true;
  private readonly splitter = new ReasoningSplitter();
  /** Without reasoning. */
  private text = "";
  private hasReasoning = false;
  private hasEnded = false;

  constructor(
    private readonly stream: Pick<FrameSink, "signal" | "leftByClient" | "end">,
    private readonly events: AnswerEvents,
  ) {}

  get signal(): AbortSignal {
    return this.stream.signal;
  }

  get leftByClient(): boolean {
    return this.stream.leftByClient;
  }

  async send(data: string): Promise<void> {
    const frame = JSON.parse(data) as StreamFrame | RenameThreadFrame | CarrelFrame;
    if (!("type" in frame) || this.hasEnded) return;
    switch (frame.type) {
      case "textResponseChunk":
        await this.read(frame.textResponse);
        if (frame.close) await this.events.sources(this.text, frame.sources);
        return;
      case "generationReasoning":
        return this.splitter.announce(frame);
      case "textResponse":
        this.hasEnded = true;
        return this.events.refused(frame.textResponse);
      case "abort":
        this.hasEnded = true;
        return this.events.failed(frame.error);
      case "finalizeResponseStream":
        this.hasEnded = true;
        return this.events.finished(frame.metrics, frame.toolCalls ?? []);
      default:
    }
  }

  private async read(piece: string): Promise<void> {
    for (const { type, text } of this.splitter.push(piece)) {
      if (type === "reasoning") {
        this.hasReasoning = true;
        await this.events.reasoning(text);
        continue;
      }
      // Models put line breaks between their reasoning and the answer.
      const shown = this.hasReasoning && this.text === "" ? text.trimStart() : text;
      if (shown === "") continue;
      this.text += shown;
      await this.events.text(shown);
    }
  }

  end(): void {
    this.stream.end();
  }
}
