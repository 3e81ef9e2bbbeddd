import {
  splitOwnTags,
  type AgentFrame,
  type AgentOutput,
  type GenerationFrame,
  type RunStep,
} from "@carrel/contracts";
import {
  describeCall,
  describeChart,
  describeFailure,
  describeFile,
  hasEnded,
} from "../agent/turn-frames.ts";

/** What the client has been told of a step. */
interface Told {
  call: string | null;
  hasEnded: boolean;
}

/**
 * What an agent does, as clients of the developer API read it: line by line, with files and charts.
 * `add` takes the frames of a generation in order, and may be given some of them again.
 */
export class AgentReply {
  readonly thoughts: string[] = [];
  readonly outputs: AgentOutput[] = [];
  /** Whether an agent answers. */
  isAgent = false;
  private readonly told = new Map<number, Told>();

  constructor(private readonly id: string) {}

  /** Returns the frames for the client. */
  add(frame: GenerationFrame): AgentFrame[] {
    if (!("type" in frame)) return [];
    if (frame.type === "generationAgent") this.isAgent = true;
    if (!this.isAgent) return [];
    if (frame.type === "statusResponse") return this.think(frame.textResponse);
    return frame.type === "generationStep" ? this.addStep(frame.step) : [];
  }

  private addStep(step: RunStep): AgentFrame[] {
    const told = this.told.get(step.id) ?? { call: null, hasEnded: false };
    if (told.hasEnded) return [];
    this.told.set(step.id, told);
    const frames: AgentFrame[] = [];
    const call = describeCall(step);
    // What it is about is known once its input has been checked.
    if (told.call !== call && (step.object !== null || step.state !== "running")) {
      told.call = call;
      frames.push(...this.think(`@agent calls ${call}`));
    }
    if (!hasEnded(step)) return frames;
    told.hasEnded = true;
    if (step.state !== "done") return [...frames, ...this.think(describeFailure(step))];
    return [...frames, ...step.outputs.flatMap((output) => this.addOutput(output))];
  }

  private addOutput(output: RunStep["outputs"][number]): AgentFrame[] {
    if (output.type === "chart")
      this.outputs.push({ type: "rechartVisualize", payload: describeChart(output) });
    if (output.type !== "file") return [];
    const fileDownload = describeFile(output);
    this.outputs.push(fileDownload);
    return [{ id: this.id, type: "fileDownload", fileDownload, close: false, error: null }];
  }

  private think(thought: string): AgentFrame[] {
    this.thoughts.push(thought);
    return [
      {
        id: this.id,
        type: "agentThought",
        thought,
        sources: [],
        attachments: [],
        close: false,
        error: null,
        animate: true,
      },
    ];
  }
}

/** The answer without reasoning, which is what agents reply with on this wire. */
export const plainAnswer = (text: string): string => splitOwnTags(text).answer.trim();
