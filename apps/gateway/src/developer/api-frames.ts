import type { GenerationFrame, SourceWire } from "@carrel/contracts";
import type { FrameSink } from "../chat/generation-relay.ts";
import { AgentReply, plainAnswer } from "./agent-reply.ts";

/**
 * An event stream in the form of the developer API (wire-contract 9.4): the sources come with the
 * last frame instead of the closing chunk, threads aren't renamed, and agents have frames of their
 * own.
 */
export class ApiFrames implements FrameSink {
  readonly carrel = false;
  readonly readsSteps = true;
  private readonly agent: AgentReply;
  private sources: SourceWire[] = [];
  private text = "";

  /**
   * @param o.id of the answer
   * @param o.showsSteps whether the client reads steps, to decide about them
   */
  constructor(
    private readonly stream: FrameSink,
    private readonly o: { id: string; showsSteps: boolean },
  ) {
    this.agent = new AgentReply(o.id);
  }

  get signal(): AbortSignal {
    return this.stream.signal;
  }

  get leftByClient(): boolean {
    return this.stream.leftByClient;
  }

  noteText(text: string): void {
    this.text = text;
  }

  async send(data: string): Promise<void> {
    const { isAgent } = this.agent;
    // Most frames are chunks of text, which stay as they are.
    const isChunk =
      data.includes('"sources":[],"type":"textResponseChunk"') && data.includes('"close":false');
    if (isChunk && !isAgent) return this.stream.send(data);
    const frame = JSON.parse(data) as GenerationFrame;
    if (!("type" in frame)) return;
    if (frame.type === "textResponseChunk" && frame.close) this.sources = frame.sources;
    const frames = this.agent.isAgent ? this.listAgentFrames(frame) : this.listFrames(frame);
    for (const each of frames) await this.stream.send(JSON.stringify(each));
  }

  end(): void {
    this.stream.end();
  }

  private listFrames(frame: Extract<GenerationFrame, { type: string }>): object[] {
    switch (frame.type) {
      case "generationAgent":
        return this.agent.add(frame);
      case "generationStep":
        return [];
      case "textResponseChunk":
        return [{ ...frame, sources: [] }];
      case "finalizeResponseStream":
        return [{ ...frame, sources: this.sources }];
      default:
        return [frame];
    }
  }

  private listAgentFrames(frame: Extract<GenerationFrame, { type: string }>): object[] {
    const { id, showsSteps } = this.o;
    const open = { close: false, error: null };
    switch (frame.type) {
      case "textResponseChunk": {
        const { type, textResponse } = frame;
        return textResponse === "" ? [] : [{ id, type, textResponse, sources: [], ...open }];
      }
      case "generationStep":
        return [
          ...this.agent.add(frame),
          ...(showsSteps ? [{ id, type: "agentStep", step: frame.step, ...open }] : []),
        ];
      case "finalizeResponseStream":
        return this.finish(frame);
      case "generationAgent":
      case "statusResponse":
        return this.agent.add(frame);
      default:
        return [frame];
    }
  }

  private finish({
    uuid,
    type,
    metrics,
  }: Extract<GenerationFrame, { type: "finalizeResponseStream" }>): object[] {
    const { id } = this.o;
    const textResponse = plainAnswer(this.text);
    const { thoughts, outputs } = this.agent;
    const whole = {
      id,
      type: "textResponse",
      textResponse,
      sources: [],
      attachments: [],
      close: true,
      error: null,
      animate: false,
    };
    return [
      { id, type: "usageMetrics", metrics, close: false, error: null },
      ...(textResponse === "" ? [] : [whole]),
      {
        uuid,
        type,
        textResponse,
        thoughts,
        outputs,
        sources: this.sources,
        metrics,
        close: true,
        error: false,
      },
    ];
  }
}
