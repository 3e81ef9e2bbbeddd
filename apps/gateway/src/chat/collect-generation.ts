import {
  reasoningTags,
  renderFault,
  type FaultWire,
  type GenerationFrame,
  type In,
  type KnownFault,
  type MetricsWire,
  type OpenReasoningSpan,
  type Out,
  type ReasoningSpan,
  type Scope,
  type SourceWire,
  type ToolCall,
  type startGeneration,
  type streamChat,
} from "@carrel/contracts";
import { Injectable } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { EventStreams } from "../stream/event-stream.ts";
import { GenerationRelay, type FrameSink } from "./generation-relay.ts";

/** An answer as a whole, for replies that aren't streams. */
export interface CollectedAnswer {
  /** Includes its reasoning inline. */
  text: string;
  /** Which parts of the text are reasoning. */
  reasoning: ReasoningSpan[];
  sources: SourceWire[];
  metrics: MetricsWire | null;
  /** Tools that the model asks the client to run. */
  toolCalls: ToolCall[];
  /** null if nothing that clients could see was stored. */
  chatId: number | null;
  /** Why there is no answer, or why it is incomplete; in English and as a code. */
  error: string | null;
  fault: FaultWire | null;
  /** The text is a query-mode refusal or another reply that no model wrote. */
  refused: boolean;
  /** The client has disconnected, so nobody reads the answer. */
  isAbandoned: boolean;
}

const connectionLost: KnownFault = { code: "generation.connection-lost" };

/** Waits for generations on behalf of requests that want the answer as a whole. */
@Injectable()
export class GenerationCollector {
  constructor(
    private readonly relay: GenerationRelay,
    private readonly eventStreams: EventStreams,
  ) {}

  /**
   * Resolves once the generation has ended. If the client disconnects before that, it is cancelled.
   * `attachments`: as sent with the question. `onFrame` is called with each frame.
   */
  async collect(
    started: Out<typeof startGeneration>,
    { scope, reply }: { scope: Scope; reply: FastifyReply },
    attachments?: In<typeof streamChat>["attachments"],
    onFrame: (frame: GenerationFrame) => void = () => undefined,
  ): Promise<CollectedAnswer> {
    const collected = new CollectedFrames(reply, this.eventStreams.stopping, onFrame);
    const { generationId, frames } = started;
    if (generationId === null) for (const frame of frames) collected.add(frame as GenerationFrame);
    else
      await this.relay.run(
        { generationId, scope, after: 0, stream: collected, ...(attachments && { attachments }) },
        // A client that sends a key may return for the answer.
        { cancelOnLeave: reply.request.headers["idempotency-key"] === undefined },
      );
    return collected.answer();
  }
}

/** Reads the frames sent to Carrel's own clients, which identify faults by code. */
class CollectedFrames implements FrameSink {
  readonly carrel = true;
  readonly signal: AbortSignal;
  private readonly left = new AbortController();
  private text = "";
  private spans = new Map<number, OpenReasoningSpan>();
  private hasEnded = false;
  private result: Omit<CollectedAnswer, "text" | "reasoning" | "isAbandoned"> = nothing();

  constructor(
    reply: FastifyReply,
    stopping: AbortSignal,
    private readonly onFrame: (frame: GenerationFrame) => void,
  ) {
    const { raw } = reply;
    raw.once("close", () => {
      if (!raw.writableFinished) this.left.abort();
    });
    if (raw.destroyed || raw.socket === null || raw.socket.destroyed) this.left.abort();
    this.signal = AbortSignal.any([this.left.signal, stopping]);
  }

  get leftByClient(): boolean {
    return this.left.signal.aborted;
  }

  send(data: string): Promise<void> {
    this.add(JSON.parse(data) as GenerationFrame);
    return Promise.resolve();
  }

  end(): void {
    // Whether the answer has ended is in the frames.
  }

  add(frame: GenerationFrame): void {
    this.onFrame(frame);
    if (!("type" in frame)) return;
    switch (frame.type) {
      case "generationStarted":
        // If an answer's stream was lost, the answer starts over.
        this.text = "";
        this.spans = new Map();
        this.result = nothing();
        return;
      case "generationReasoning":
        this.spans.set(frame.start, frame);
        return;
      case "generationRewind":
        this.text = this.text.slice(0, frame.to);
        for (const start of this.spans.keys()) if (start >= frame.to) this.spans.delete(start);
        return;
      case "textResponseChunk":
        this.text += frame.textResponse;
        if (frame.close) this.result.sources = frame.sources;
        return;
      case "textResponse":
        this.text = frame.textResponse;
        this.result.refused = true;
        this.hasEnded = true;
        return;
      case "generationFault":
        this.result.fault = frame.fault;
        return;
      case "abort":
        this.result.error = frame.error;
        this.hasEnded = true;
        return;
      case "finalizeResponseStream":
        this.result.metrics = frame.metrics;
        this.result.toolCalls = frame.toolCalls ?? [];
        this.result.chatId = frame.chatId ?? null;
        this.hasEnded = true;
        return;
      default:
    }
  }

  answer(): CollectedAnswer {
    const lost = this.hasEnded ? {} : { fault: connectionLost, error: renderFault(connectionLost) };
    // Text that turned out to be reasoning lacks its opening tag.
    const isLate = this.spans.has(0) && !this.text.startsWith(reasoningTags.open);
    const added = isLate && this.text !== "" ? reasoningTags.open : "";
    const reasoning = [...this.spans.values()].map(({ start, end, milliseconds }) => ({
      start: start === 0 ? 0 : start + added.length,
      end: (end ?? this.text.length) + added.length,
      milliseconds,
    }));
    const text = added + this.text;
    return { ...this.result, ...lost, text, reasoning, isAbandoned: this.leftByClient };
  }
}

const nothing = (): Omit<CollectedAnswer, "text" | "reasoning" | "isAbandoned"> => ({
  sources: [],
  toolCalls: [],
  metrics: null,
  chatId: null,
  error: null,
  fault: null,
  refused: false,
});
