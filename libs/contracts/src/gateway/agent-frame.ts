import { z } from "zod";
import { chartTypes, generatedFile, runStep } from "../chat/run-step.ts";
import { metricsWire } from "../chat/turn.ts";
import { sourceWire } from "../source.ts";

/*
 * Answers of agents in the developer API (wire-contract 9.4). Their files are at
 * `/v1/document/generated-files/:storageFilename`.
 */

/** What an agent made besides text. */
export const agentOutput = z.union([
  generatedFile,
  z.object({
    type: z.literal("rechartVisualize"),
    payload: z.object({
      type: z.enum(chartTypes),
      /** JSON */
      dataset: z.string(),
      title: z.string(),
      caption: z.string().optional(),
    }),
  }),
]);
export type AgentOutput = z.infer<typeof agentOutput>;

const open = { id: z.string(), close: z.literal(false), error: z.null() };

/** Frames that only answers of agents have. */
export const agentFrames = [
  /** A line about what the agent does. */
  z.object({
    ...open,
    type: z.literal("agentThought"),
    thought: z.string(),
    sources: z.array(sourceWire),
    attachments: z.array(z.unknown()),
    animate: z.literal(true),
  }),
  z.object({ ...open, type: z.literal("fileDownload"), fileDownload: generatedFile }),
  z.object({ ...open, type: z.literal("usageMetrics"), metrics: metricsWire }),
  /**
   * Carrel-specific, for clients that send `waitSeconds`: a step began or changed; the last frame
   * with its ID counts.
   */
  z.object({ ...open, type: z.literal("agentStep"), step: runStep }),
] as const;
export type AgentFrame = z.infer<(typeof agentFrames)[number]>;
