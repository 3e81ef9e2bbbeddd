import type { RenameThreadFrame, SourceWire, StreamFrame } from "@carrel/contracts";
import type { FrameSink } from "../chat/generation-relay.ts";

type Frame = StreamFrame | RenameThreadFrame;

/**
 * An event stream in the form of the developer API (wire-contract 9.4): the sources come with the
 * last frame instead of the closing chunk, and threads aren't renamed.
 */
export class ApiFrames implements FrameSink {
  readonly carrel = false;
  private sources: SourceWire[] = [];

  constructor(private readonly stream: FrameSink) {}

  get signal(): AbortSignal {
    return this.stream.signal;
  }

  get leftByClient(): boolean {
    return this.stream.leftByClient;
  }

  async send(data: string): Promise<void> {
    // Most frames are chunks of text, which stay as they are.
    if (data.includes('"sources":[],"type":"textResponseChunk"') && data.includes('"close":false'))
      return this.stream.send(data);
    const frame = JSON.parse(data) as Frame;
    if (!("type" in frame)) return;
    if (frame.type === "textResponseChunk" && frame.close) {
      this.sources = frame.sources;
      return this.stream.send(JSON.stringify({ ...frame, sources: [] }));
    }
    if (frame.type === "finalizeResponseStream")
      return this.stream.send(JSON.stringify({ ...frame, sources: this.sources }));
    return this.stream.send(data);
  }

  end(): void {
    this.stream.end();
  }
}
