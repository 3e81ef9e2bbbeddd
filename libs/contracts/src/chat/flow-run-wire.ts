import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";

/* Recorded runs of flows, as clients get them. */

/**
 * manual: by a person, who can be asked. rerun: by a person, with the inputs of an earlier run. The
 * others run unattended: what wasn't approved in advance is denied.
 */
export const flowRunTriggers = ["manual", "rerun", "api", "webhook", "schedule"] as const;
export type FlowRunTrigger = (typeof flowRunTriggers)[number];

/** waiting: for a person's answer. denied: somebody didn't agree, or it ran unattended without approval. */
export const flowRunStates = [
  "queued",
  "running",
  "waiting",
  "done",
  "failed",
  "denied",
  "cancelled",
] as const;
export type FlowRunState = (typeof flowRunStates)[number];

export const hasFlowRunEnded = (state: FlowRunState): boolean =>
  state === "done" || state === "failed" || state === "denied" || state === "cancelled";

/** The values of the start's variables, instead of their defaults. */
export const flowInputs = z.record(z.string().max(100), z.string().max(100_000));

/** What one block did. */
export const flowRunBlock = z.object({
  /**
   * Where the block is, the same in each attempt: `2`, `2.then.0` (in a condition), `2.5.0` (in the
   * sixth round of a loop), `2.flow.0` (in a flow that this one runs).
   */
  path: z.string(),
  /** The block's own; null if it has none. */
  id: z.string().nullable(),
  type: z.string(),
  title: z.string().nullable(),
  /**
   * unknown: it was interrupted, and may or may not have had an effect. stopped: the run ended while
   * it was running.
   */
  state: z.enum(["running", "waiting", "done", "failed", "denied", "unknown", "stopped"]),
  /** Null until it has ended. */
  milliseconds: z.number().int().nullable(),
  /** Its start, at most 2,000 characters. */
  result: z.string(),
  /** Whether there is more of it, which the route for results reads. */
  isCut: z.boolean(),
  fault: faultWire.nullable(),
});
export type FlowRunBlock = z.infer<typeof flowRunBlock>;

/** A passage of a document that a run's output cites as `[number]`. */
export const flowRunSource = z.object({
  number: z.number().int(),
  title: z.string(),
  page: z.number().int().nullable(),
  url: z.string().nullable(),
});
export type FlowRunSource = z.infer<typeof flowRunSource>;

/** What a run asks its owner. */
export const flowRunQuestion = z.object({
  /** Of the block that asks. */
  path: z.string(),
  /** approval: a block that asks for one. request: to an address that wasn't known before. */
  kind: z.enum(["approval", "request"]),
  /** The block's title. */
  block: z.string(),
  question: z.string(),
  /** For a request: its method and address. */
  details: z.string(),
  /** For a request: the origin, such as `https://api.example.com`. */
  destination: z.string().nullable(),
  /** ISO 8601; then it counts as denied. */
  expiresAt: z.string(),
});
export type FlowRunQuestion = z.infer<typeof flowRunQuestion>;

/** run: also all further requests of the run to the same origin. */
export const flowRunDecisions = ["once", "run", "denied"] as const;
export type FlowRunDecision = (typeof flowRunDecisions)[number];

export const flowRunSummary = z.object({
  id: z.uuid(),
  flowId: z.uuid(),
  /** The flow's name and version when the run began. */
  name: z.string(),
  version: z.number().int(),
  trigger: z.enum(flowRunTriggers),
  state: z.enum(flowRunStates),
  /** Whose rights it has; null: those of an instance without accounts. */
  owner: z.object({ id: z.number().int(), username: z.string() }).nullable(),
  /** Which its blocks can search; null: none. */
  workspace: z.object({ id: z.number().int(), name: z.string(), slug: z.string() }).nullable(),
  fault: faultWire.nullable(),
  /** ISO 8601. */
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
});
export type FlowRunSummary = z.infer<typeof flowRunSummary>;

export const flowRunWire = flowRunSummary.extend({
  inputs: z.record(z.string(), z.string()),
  /** What the flow returned, at most 50,000 characters; null: nothing, or not yet. */
  output: z.string().nullable(),
  /** What the output cites, by number. */
  sources: z.array(flowRunSource),
  /** While `state` is waiting. */
  question: flowRunQuestion.nullable(),
  /** In the order of their rounds, at most 500; blocks inside others before those. */
  blocks: z.array(flowRunBlock),
  /** How many there are. */
  blockCount: z.number().int(),
  /** Whether it can be run again from the block at which it ended, without those before. */
  canContinue: z.boolean(),
});
export type FlowRunWire = z.infer<typeof flowRunWire>;
