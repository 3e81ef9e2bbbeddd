import {
  ReasoningSplitter,
  type CarrelFrame,
  type MetricsWire,
  type RenameThreadFrame,
  type SourceWire,
  type StreamFrame,
  type ToolCall,
} from "@carrel/contracts";
import type { FastifyRequest } from "fastify";
import type { FrameSink } from "../chat/generation-relay.ts";

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
