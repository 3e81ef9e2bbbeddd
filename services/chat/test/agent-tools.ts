import type { RunStep } from "@carrel/contracts";
import { ToolError, type Tool, type ToolCall, type ToolResult } from "@carrel/skills";
import { jest } from "@jest/globals";
import { z } from "zod";
import { AgentTools } from "../src/agent/agent-tools.ts";
import type { ReceivedFrame } from "./received-frame.ts";

const anything = z.object({}).catchall(z.unknown());

/** A tool that reads something harmless, unless a test says otherwise. */
export function toolOf(
  name: string,
  run: (input: Record<string, unknown>, call: ToolCall) => ToolResult | Promise<ToolResult>,
  part: Partial<Tool> = {},
): Tool {
  return {
    skill: "test",
    name,
    description: `Does ${name}.`,
    input: anything,
    effect: "none",
    isUntrusted: false,
    isRepeatable: true,
    approval: "never",
    run: async (input, call) => run(input as Record<string, unknown>, call),
    ...part,
  };
}

/** Agents have these tools until `restore`. */
export const offerTools = (...tools: Tool[]): { restore: () => void } => {
  const spy = jest.spyOn(AgentTools.prototype, "list").mockResolvedValue(tools);
  return { restore: () => spy.mockRestore() };
};

/** The steps as a reader of these frames sees them. */
export function stepsOf(frames: readonly ReceivedFrame[]): RunStep[] {
  const steps = new Map<number, RunStep>();
  for (const { frame } of frames)
    if (frame.type === "generationStep") {
      const step = frame.step as RunStep;
      steps.set(step.id, step);
    }
  return [...steps.values()];
}

export const failing = (message: string): never => {
  throw new ToolError(message);
};

/** The text as a reader sees it that honours rewinds. */
export function follow(frames: readonly ReceivedFrame[]): {
  text: string;
  generationRewinds: number;
} {
  let [text, generationRewinds] = ["", 0];
  for (const { frame } of frames) {
    if (frame.type === "textResponseChunk" && frame.close !== true)
      text += String(frame.textResponse);
    if (frame.type === "generationRewind") {
      text = text.slice(0, frame.to as number);
      generationRewinds += 1;
    }
  }
  return { text, generationRewinds };
}
