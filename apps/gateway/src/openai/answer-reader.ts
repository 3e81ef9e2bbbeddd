import type {
  RenameThreadFrame,
  SourceWire,
  StreamFrame,
  MetricsWire,
  ToolCall,
} from "@carrel/contracts";
import type { FrameSink } from "../chat/generation-relay.ts";

/** What becomes of an answer's frames in another protocol. */
export interface AnswerEvents {
  text(piece: string): Promise<void>;
  sources(text: string, sources: readonly SourceWire[]): Promise<void>;
  /** A complete text that no model wrote. */
  refused(text: string): Promise<void>;
  /** Nothing follows. */
  failed(error: string): Promise<void>;
  finished(metrics: MetricsWire, calls: readonly ToolCall[]): Promise<void>;
}

/** Reads the frames of an answer for clients of another protocol. */
export class AnswerReader implements FrameSink {
  readonly carrel = false;
  private text = "";
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
    const frame = JSON.parse(data) as StreamFrame | RenameThreadFrame;
    if (!("type" in frame) || this.hasEnded) return;
    switch (frame.type) {
      case "textResponseChunk":
        if (frame.textResponse !== "") {
          this.text += frame.textResponse;
          await this.events.text(frame.textResponse);
        }
        if (frame.close) await this.events.sources(this.text, frame.sources);
        return;
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

  end(): void {
    this.stream.end();
  }
}
