import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";

/** Charts that an answer can contain (wire-contract 5.3). */
export const chartTypes = [
  "area",
  "bar",
  "line",
  "composed",
  "scatter",
  "pie",
  "radar",
  "radialBar",
  "treemap",
  "funnel",
] as const;
export type ChartType = (typeof chartTypes)[number];

const cell = z.union([z.string(), z.number(), z.null()]);

/** What a step adds to the answer besides text. */
export const stepOutput = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("chart"),
    chart: z.enum(chartTypes),
    title: z.string(),
    caption: z.string().optional(),
    /** Each row has a `name`; its other fields are the series. */
    rows: z.array(z.record(z.string(), cell)).max(1_000),
  }),
  z.object({
    type: z.literal("table"),
    title: z.string(),
    columns: z.array(z.string()).max(100),
    rows: z.array(z.array(cell)).max(1_000),
    /** How many rows there are; only the first ones are shown. */
    total: z.number().int(),
  }),
  z.object({
    type: z.literal("file"),
    /** As it is saved by the person. */
    name: z.string(),
    /** The last part of its address below `/agent-skills/generated-files/`. */
    file: z.string(),
    mime: z.string(),
    /** In bytes. */
    size: z.number().int(),
  }),
  /** Work that was scheduled. */
  z.object({
    type: z.literal("schedule"),
    id: z.uuid(),
    name: z.string(),
    /** A cron expression, or a time in ISO 8601. */
    schedule: z.string(),
    timeZone: z.string(),
    /** ISO 8601. */
    nextAt: z.string(),
  }),
]);
export type StepOutput = z.infer<typeof stepOutput>;

/** A file that an agent has made, as clients of the wire read it (wire-contract 5.3). */
export const generatedFile = z.object({
  filename: z.string(),
  /** The last part of its address below `/agent-skills/generated-files/`. */
  storageFilename: z.string(),
  /** In bytes. */
  fileSize: z.number().int(),
});

/** A question of an agent to the person (wire-contract 5.3). */
export const formQuestion = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("input"),
    question: z.string(),
    inputType: z.enum(["text", "url", "number", "date", "email", "textarea"]),
    placeholder: z.string(),
  }),
  z.object({
    kind: z.literal("choice"),
    question: z.string(),
    options: z.array(z.string()),
    optionDescriptions: z.array(z.string()),
    multiSelect: z.boolean(),
    allowOther: z.boolean(),
  }),
]);
export type FormQuestion = z.infer<typeof formQuestion>;

/** The answer to one question of a form; null if it was skipped. */
export const formAnswer = z.union([z.string().max(10_000), z.array(z.string().max(1_000)).max(50)]);
export type FormAnswer = z.infer<typeof formAnswer>;

/**
 * once: this call. run: this tool with the same destination until the answer ends. always: this
 * person is no longer asked about the skill, except in runs that have read untrusted content.
 */
export const approvalDecisions = ["once", "run", "always", "denied"] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

/** What a tool would do, for the person who decides about it. */
export const approvalRequest = z.object({
  /**
   * untrusted: the run has read content of others, which may have asked for this call. outside: the
   * tool sends or changes something. required: an admin wants to be asked.
   */
  reason: z.enum(["untrusted", "outside", "required"]),
  /** Where it goes: a host, an address, a folder, a server; null if nowhere outside. */
  destination: z.string().nullable(),
  /** Everything that would be sent or changed, in full. */
  details: z.array(z.object({ label: z.string(), value: z.string() })),
  /** ISO 8601; then it counts as denied. */
  expiresAt: z.string(),
  decision: z.enum([...approvalDecisions, "timed-out"]).nullable(),
  /** Whether `always` can be chosen. */
  canBeLasting: z.boolean(),
});
export type ApprovalRequest = z.infer<typeof approvalRequest>;

export const stepStates = [
  "running",
  // For an approval or an answer of the person.
  "waiting",
  "done",
  "failed",
  "denied",
  // It was interrupted, and may or may not have had an effect.
  "unknown",
  "stopped",
] as const;

/** The most UTF-16 units of a step's input and result in frames and turns. */
export const longestStepText = 2_000;

/** A call of a tool within an answer. Tools of an answer are numbered from 1. */
export const runStep = z.object({
  id: z.number().int(),
  /** Its position in the answer's text, in UTF-16 units. */
  at: z.number().int(),
  /** The skill's ID, or `mcp:<server>`. */
  skill: z.string(),
  /** The name by which the model called it. */
  tool: z.string(),
  state: z.enum(stepStates),
  /** What it is about, in a few words: the query, the address, the file's name. */
  object: z.string().nullable(),
  /** The start of the call's input as JSON, at most `longestStepText`. */
  input: z.string(),
  /** The start of what the model read, at most `longestStepText`; null until there is something. */
  result: z.string().nullable(),
  /** Why it failed. */
  fault: faultWire.nullable(),
  /** How far it is; null if that isn't known. */
  progress: z.object({ done: z.number(), total: z.number() }).nullable(),
  /** What it says it is doing, in a few words; only while it runs. */
  note: z.string().max(300).nullable().optional(),
  milliseconds: z.number().int().nullable(),
  approval: approvalRequest.nullable(),
  form: z
    .object({
      questions: z.array(formQuestion),
      /** In the order of the questions; null until answered or skipped. */
      answers: z.array(formAnswer.nullable()).nullable(),
      expiresAt: z.string(),
    })
    .nullable(),
  outputs: z.array(stepOutput),
});
export type RunStep = z.infer<typeof runStep>;

/** What readers of a shared link see of a step. */
export const sharedStep = runStep.pick({
  id: true,
  at: true,
  skill: true,
  tool: true,
  state: true,
  object: true,
  milliseconds: true,
});
export type SharedStep = z.infer<typeof sharedStep>;
