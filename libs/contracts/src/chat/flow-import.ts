import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";
import { flowSteps } from "./flow-step.ts";
import { longestFlowDescription, longestFlowName } from "./flow.ts";

/**
 * Internal: takes a flow over from a community hub, switched off and not shared. A flow that was
 * imported before becomes a new version, unless it is the same. With `dryRun`, only reports.
 */
export const importFlow = defineOperation({
  name: "chat.flow.import",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    id: z.uuid(),
    name: z.string().trim().min(1).max(longestFlowName),
    description: z.string().max(longestFlowDescription),
    steps: flowSteps,
    dryRun: z.boolean().default(false),
  }),
  output: z.object({
    /** What was there before: nothing, the same flow, or another version of it. */
    state: z.enum(["new", "same", "changed"]),
    /** Flows that its blocks run and that don't exist here. */
    missingFlows: z.array(z.string()),
    /** Names of credentials that it refers to and that don't exist here. */
    missingCredentials: z.array(z.string()),
  }),
});

export const flowImportContracts: Contracts = { operations: [importFlow] };
