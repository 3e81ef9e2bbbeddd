import { z } from "zod";
import { flowVariableTypes } from "./flow-variable.ts";

/*
 * The blocks of agent flows (wire-contract 5.8, docs/decisions/flows.md). Names with `carrel-` are
 * ours; the others are those of existing clients, whose unknown fields are kept.
 */

export const flowLimits = {
  /** Blocks in all, with those inside of others. */
  steps: 100,
  /** Blocks inside blocks, and flows that run flows. */
  depth: 5,
  /** Bytes of a flow's JSON. */
  size: 200_000,
  /** Rounds of a loop. */
  rounds: 1_000,
  minutes: 10,
  /** UTF-16 units of all variables as JSON. */
  variables: 1_000_000,
} as const;

/** The prefix of the types of our own blocks. */
export const ownBlockPrefix = "carrel-";

/* Clients may leave out fields, or send other values where a text is expected. */
const text = (longest: number) =>
  z.preprocess(
    (value) =>
      typeof value === "number" || typeof value === "boolean" ? String(value) : (value ?? ""),
    z.string().max(longest),
  );
const flag = z.preprocess((value) => value ?? false, z.boolean());
const listOrNone = <T extends z.ZodType>(item: T, most: number) =>
  z.preprocess((items) => items ?? [], z.array(item).max(most));

const longText = text(100_000);
const variable = text(100);
const pairs = listOrNone(z.looseObject({ key: text(1_000), value: longText }), 100);

/** For the builder, which names and finds blocks by them. */
const common = {
  id: z
    .string()
    .max(64)
    .regex(/^[\w-]+$/)
    .optional(),
  title: z.string().max(200).optional(),
};
const result = { resultVariable: variable, directOutput: flag };

/** Existing clients keep the last two fields as they are. */
const startVariable = z.looseObject({
  name: variable,
  value: longText,
  description: text(1_000),
  valueType: z.enum(flowVariableTypes).optional(),
  required: z.boolean().optional(),
});

/** Its variables are the parameters of the flow. */
const startBlock = z.looseObject({
  ...common,
  type: z.literal("start"),
  config: z.looseObject({
    variables: listOrNone(startVariable, 100),
  }),
});

export const flowMethods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const apiCallBlock = z.looseObject({
  ...common,
  type: z.literal("apiCall"),
  config: z.looseObject({
    url: text(8_000),
    method: z.preprocess(
      (method) => (typeof method === "string" ? method.toUpperCase() : method) || "GET",
      z.enum(flowMethods),
    ),
    headers: pairs,
    bodyType: z.enum(["json", "text", "form"]).default("json"),
    body: longText,
    formData: pairs,
    responseVariable: variable,
    directOutput: flag,
  }),
});

const llmInstructionBlock = z.looseObject({
  ...common,
  type: z.literal("llmInstruction"),
  config: z.looseObject({ instruction: longText, ...result }),
});

const webScrapingBlock = z.looseObject({
  ...common,
  type: z.literal("webScraping"),
  config: z.looseObject({
    url: text(8_000),
    captureAs: z.enum(["text", "html", "querySelector"]).default("text"),
    querySelector: text(1_000),
    /** Long pages are summarised unless it is false. */
    enableSummarization: z.boolean().optional(),
    ...result,
  }),
});

const searchBlock = z.object({
  ...common,
  type: z.literal("carrel-search"),
  config: z.object({
    query: text(10_000),
    limit: z.number().int().min(1).max(50).default(8),
    ...result,
  }),
});

const codeBlock = z.object({
  ...common,
  type: z.literal("carrel-code"),
  /** JavaScript, which reads the flow's variables as `variables`. */
  config: z.object({ code: longText, ...result }),
});

export const flowFilterOperators = [
  "equals",
  "not-equals",
  "contains",
  "not-contains",
  "greater",
  "less",
  "is-empty",
  "is-not-empty",
] as const;
export type FlowFilterOperator = (typeof flowFilterOperators)[number];
const operator = z.enum(flowFilterOperators).default("equals");

/** auto: the one that the first line has most of. */
const csvDelimiters = ["auto", ",", ";", "\t"] as const;

export const flowTransform = z.discriminatedUnion("kind", [
  /** CSV as a list of rows, named by its first line. */
  z.object({ kind: z.literal("csv"), delimiter: z.enum(csvDelimiters).default("auto") }),
  z.object({ kind: z.literal("pick"), path: text(1_000) }),
  z.object({ kind: z.literal("filter"), column: text(1_000), operator, value: longText }),
  z.object({ kind: z.literal("sort"), column: text(1_000), descending: flag }),
  z.object({ kind: z.literal("columns"), names: listOrNone(text(1_000), 100) }),
  z.object({ kind: z.literal("limit"), count: z.number().int().min(0).max(1_000_000) }),
  z.object({ kind: z.literal("format"), as: z.enum(["json", "csv", "markdown"]) }),
]);
export type FlowTransform = z.infer<typeof flowTransform>;

const transformBlock = z.object({
  ...common,
  type: z.literal("carrel-transform"),
  config: z.object({ input: longText, operations: listOrNone(flowTransform, 20), ...result }),
});

/** A person must agree, otherwise the flow ends. */
const approvalBlock = z.object({
  ...common,
  type: z.literal("carrel-approval"),
  config: z.object({ question: text(2_000), details: text(20_000) }),
});

const subFlowBlock = z.object({
  ...common,
  type: z.literal("carrel-flow"),
  config: z.object({
    flowId: text(64),
    inputs: listOrNone(z.object({ name: variable, value: longText }), 100),
    ...result,
  }),
});

const plainBlocks = [
  startBlock,
  apiCallBlock,
  llmInstructionBlock,
  webScrapingBlock,
  searchBlock,
  codeBlock,
  transformBlock,
  approvalBlock,
  subFlowBlock,
] as const;

/** zod can't infer the type of blocks inside blocks. */
export type FlowStep = z.infer<(typeof plainBlocks)[number]> | ConditionStep | LoopStep;
interface ConditionStep {
  id?: string | undefined;
  title?: string | undefined;
  type: "carrel-condition";
  config: {
    left: string;
    operator: FlowFilterOperator;
    right: string;
    then: FlowStep[];
    otherwise: FlowStep[];
  };
}
interface LoopStep {
  id?: string | undefined;
  title?: string | undefined;
  type: "carrel-loop";
  config: {
    list: string;
    itemVariable: string;
    maxItems: number;
    steps: FlowStep[];
    resultVariable: string;
  };
}
export type FlowBlock<Type extends FlowStep["type"]> = Extract<FlowStep, { type: Type }>;

const innerSteps: z.ZodType<FlowStep[]> = z.lazy(() => z.array(flowStep).max(flowLimits.steps));

const conditionBlock = z.object({
  ...common,
  type: z.literal("carrel-condition"),
  config: z.object({
    left: longText,
    operator,
    right: longText,
    then: innerSteps.default([]),
    otherwise: innerSteps.default([]),
  }),
});

/** Its result is the list of each round's last result. */
const loopBlock = z.object({
  ...common,
  type: z.literal("carrel-loop"),
  config: z.object({
    list: longText,
    itemVariable: variable,
    maxItems: z.number().int().min(1).max(flowLimits.rounds).default(100),
    steps: innerSteps.default([]),
    resultVariable: variable,
  }),
});

/** It contains itself, so the API's docs refer to it by its ID. */
export const flowStep: z.ZodType<FlowStep> = z
  .discriminatedUnion("type", [...plainBlocks, conditionBlock, loopBlock])
  .meta({ id: "FlowStep" });

export const flowSteps = z.array(flowStep).max(flowLimits.steps);

export const flowBlockTypes = [...plainBlocks, conditionBlock, loopBlock].map(
  ({ shape }) => shape.type.value,
);

/** The blocks directly inside a block. */
export const innerStepsOf = (step: FlowStep): FlowStep[] =>
  step.type === "carrel-condition"
    ? [...step.config.then, ...step.config.otherwise]
    : step.type === "carrel-loop"
      ? step.config.steps
      : [];

/** All blocks, those inside of others after the block that holds them. */
export const listFlowSteps = (steps: readonly FlowStep[]): FlowStep[] =>
  steps.flatMap((step) => [step, ...listFlowSteps(innerStepsOf(step))]);

export const flowDepth = (steps: readonly FlowStep[]): number =>
  steps.length === 0 ? 0 : 1 + Math.max(...steps.map((step) => flowDepth(innerStepsOf(step))));
