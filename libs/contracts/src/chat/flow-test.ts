import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { flowRunErrors } from "./flow-run.ts";
import { flowSteps } from "./flow-step.ts";

/* Test runs of agent flows in the builder, outside of conversations and without a record. */

const flowId = z.uuid().transform((id) => id.toLowerCase());

/**
 * What one block did. Blocks inside others come before the block that holds them; within loops, a
 * block occurs once for each round.
 */
export const flowStepRun = z.object({
  /** The block's own; null if it has none. */
  id: z.string().nullable(),
  type: z.string(),
  title: z.string().nullable(),
  /** skipped: the flow started after it, or had ended before it. */
  state: z.enum(["done", "failed", "skipped", "denied"]),
  milliseconds: z.number().int(),
  /** Its start. */
  result: z.string(),
  fault: faultWire.nullable(),
});
export type FlowStepRun = z.infer<typeof flowStepRun>;

/** How long a test may take, in ms. */
export const flowTestMs = 120_000;

const testInput = {
  inputs: z.record(z.string().max(100), z.string().max(100_000)).default({}),
  /** The ID of the block to start from, with `variables` of a run before; default: the first. */
  from: z.string().max(64).optional(),
  variables: z.record(z.string().max(100), z.unknown()).default({}),
  /** Whether blocks that ask for a person's approval get it; otherwise the flow ends there. */
  approve: z.boolean().default(false),
};
const unsavedTest = z.object({ ...testInput, steps: flowSteps });

export const testFlow = defineOperation({
  service: "chat",
  access: { who: "admin" },
  errors: flowRunErrors,
  name: "chat.flow.test",
  calls: ["ingest", "workspace"],
  timeoutMs: flowTestMs + 10_000,
  routes: [
    {
      method: "POST",
      path: "/flows/:id/test",
      summary: "Run an agent flow once",
      input: z.object({ ...testInput, id: flowId, steps: flowSteps.optional() }),
    },
    {
      name: "chat.flow.test-in-workspace",
      method: "POST",
      path: "/workspace/:slug/flows/:id/test",
      summary: "Run an agent flow once in a workspace, which its blocks can search",
      access: { who: "admin", workspace: true },
      input: z.object({ ...testInput, slug, id: flowId, steps: flowSteps.optional() }),
      errors: inWorkspace,
    },
    {
      name: "chat.flow.test-unsaved",
      method: "POST",
      path: "/flows/test",
      summary: "Run blocks once without saving them",
      input: unsavedTest,
    },
    {
      name: "chat.flow.test-unsaved-in-workspace",
      method: "POST",
      path: "/workspace/:slug/flows/test",
      summary: "Run blocks once in a workspace without saving them",
      access: { who: "admin", workspace: true },
      input: unsavedTest.extend({ slug }),
      errors: inWorkspace,
    },
  ],
  input: z.object({
    ...testInput,
    slug: slug.optional(),
    /** Without it, `steps` is needed. */
    id: flowId.optional(),
    /** Blocks that aren't saved; default: the flow's. */
    steps: flowSteps.optional(),
  }),
  output: z.object({
    ok: z.boolean(),
    steps: z.array(flowStepRun),
    variables: z.record(z.string(), z.unknown()),
    /** The names of variables that are too large to be shown. */
    omitted: z.array(z.string()),
    /** The start of what the flow returns; null if it failed. */
    output: z.string().nullable(),
    fault: faultWire.nullable(),
  }),
});

export const flowTestContracts: Contracts = { operations: [testFlow] };
