import { z } from "zod";
import { byKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import {
  flowInputs,
  flowRunBlock,
  flowRunQuestion,
  flowRunStates,
  type FlowRunBlock,
  type FlowRunQuestion,
  type FlowRunState,
} from "./flow-run-wire.ts";
import { flowRunErrors } from "./flow-run.ts";

/* Runs as they happen, and runs of the developer API, which waits for them. */

const flowId = z.uuid().transform((id) => id.toLowerCase());
const runId = flowId;

/** Internal: what has changed in a run since `after`, which is 0 at first. */
export const readFlowRunProgress = defineOperation({
  name: "chat.flow-run.progress",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ id: runId, after: z.number().int() }),
  output: z.object({
    state: z.enum(flowRunStates),
    question: flowRunQuestion.nullable(),
    output: z.string().nullable(),
    fault: faultWire.nullable(),
    blocks: z.array(flowRunBlock),
    /** For the next call. */
    position: z.number().int(),
  }),
});

/** The channel on which changes of a run are broadcast, without content. */
export const flowRunChannel = (id: string): string => `flow-run:${id}`;

/** One `data:` frame of a run's stream: `run` at the start and whenever its state changes. */
export type FlowRunFrame =
  | { type: "run"; id: string; state: FlowRunState; question: FlowRunQuestion | null }
  | { type: "block"; block: FlowRunBlock }
  /** The last one. */
  | {
      type: "end";
      id: string;
      state: FlowRunState;
      output: string | null;
      fault: z.infer<typeof faultWire> | null;
      /** The fault in English. */
      error: string | null;
    };

export const watchFlowRun = defineOperation({
  name: "gateway.flow-run.watch",
  service: "gateway",
  access: { who: "session" },
  mount: "custom",
  errors: flowRunErrors,
  routes: [
    {
      method: "GET",
      path: "/flow-runs/:id/stream",
      summary: "Stream the progress of a run, from its first block to its end",
    },
  ],
  input: z.object({ id: runId }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

/** How long `runFlowByKey` waits for the end before it replies, in ms. */
export const flowRunWaitMs = 120_000;

export const runFlowByKey = defineOperation({
  name: "gateway.developer-flow.run",
  service: "gateway",
  mount: "custom",
  ...byKey("chat", { restrictedKeys: true }),
  errors: { ...byKey("chat").errors, ...flowRunErrors },
  timeoutMs: flowRunWaitMs + 10_000,
  routes: [
    {
      method: "POST",
      path: "/v1/flows/:id/run",
      summary:
        "Run a flow; replies at its end, or after two minutes with the state so far, or as an event stream",
    },
  ],
  input: z.object({
    id: flowId,
    inputs: flowInputs.default({}),
    stream: z.boolean().default(false),
  }),
  output: z.object({
    id: z.uuid(),
    state: z.enum(flowRunStates),
    output: z.string().nullable(),
    fault: faultWire.nullable(),
    /** The fault in English. */
    error: z.string().nullable(),
  }),
});

/** Internal: starts a run with the flow's trigger for the API. */
export const startFlowRunByKey = defineOperation({
  name: "chat.flow-run.start-by-key",
  service: "chat",
  access: { who: "internal" },
  idempotency: "keyed",
  calls: ["auth", "workspace"],
  input: z.object({ id: flowId, inputs: flowInputs }),
  output: z.object({ id: z.uuid() }),
});

export const flowRunProgressContracts: Contracts = {
  operations: [readFlowRunProgress, watchFlowRun, runFlowByKey, startFlowRunByKey],
};
