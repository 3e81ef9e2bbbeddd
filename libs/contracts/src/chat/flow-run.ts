import { z } from "zod";
import { slug } from "../coercion.ts";
import { byKey, inWorkspace, type ErrorReply } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineJob, defineOperation, type Contracts } from "../operation.ts";
import {
  flowInputs,
  flowRunDecisions,
  flowRunStates,
  flowRunSummary,
  flowRunTriggers,
  flowRunWire,
} from "./flow-run-wire.ts";
import { flowVariableTypes } from "./flow-variable.ts";

/*
 * Recorded runs of agent flows (docs/decisions/flow-runs.md). A run belongs to its owner, whose
 * rights it has; others see it only as admins.
 */

const flowId = z.uuid().transform((id) => id.toLowerCase());
const runId = flowId;

const refuse = (status: number, error = "$message"): ErrorReply => ({
  status,
  kind: "json",
  body: { success: false, error },
});
export const flowRunErrors = {
  BAD_INPUT: refuse(400),
  NOT_FOUND: refuse(404),
  CONFLICT: refuse(409),
  REFUSED: refuse(400),
  TOO_LARGE: refuse(413),
};
const bySession = { service: "chat", access: { who: "session" }, errors: flowRunErrors } as const;

/** Active flows that admins shared; for admins, all active ones. */
export const listSharedFlows = defineOperation({
  ...bySession,
  name: "chat.flow-run.list-flows",
  routes: [
    { method: "GET", path: "/shared-flows", summary: "List the flows that you can run" },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-flow.list",
      method: "GET",
      path: "/v1/flows",
      summary: "List the flows that can be run with the API",
    },
  ],
  input: z.object({}),
  /** By name. For keys: those with a trigger for the API, in the key's workspaces. */
  output: z.object({
    flows: z.array(
      z.object({
        id: z.uuid(),
        name: z.string(),
        description: z.string(),
        variables: z.array(
          z.object({
            name: z.string(),
            value: z.string(),
            description: z.string(),
            /** Default: text. */
            valueType: z.enum(flowVariableTypes).optional(),
            required: z.boolean().optional(),
          }),
        ),
        /** Whether it sends data to others. */
        sends: z.boolean(),
        /** Whether a block needs a workspace to search. */
        searches: z.boolean(),
      }),
    ),
  }),
});

/** Before a run: what it would request, to be shown to the person who starts it. */
export const describeFlowRequests = defineOperation({
  ...bySession,
  name: "chat.flow-run.describe-requests",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/flows/:id/requests",
      summary: "List what a run of a flow would request",
    },
  ],
  input: z.object({ id: flowId, inputs: flowInputs.default({}) }),
  output: z.object({
    requests: z.array(
      z.object({
        /** Of the block. */
        title: z.string(),
        /** As far as it is known before the run: variables of blocks are still in it. */
        address: z.string(),
        /** Null if it isn't known; the run will ask. */
        origin: z.string().nullable(),
        /** All that would be sent, or its start and `…`; values of headers only for admins. */
        text: z.string(),
      }),
    ),
    /** Blocks that ask for an approval; `id` is what an approval in advance names. */
    approvals: z.array(
      z.object({
        id: z.string().nullable(),
        title: z.string(),
        /** As it is written: variables are still in it. */
        question: z.string(),
      }),
    ),
  }),
});

export const startFlowRun = defineOperation({
  ...bySession,
  name: "chat.flow-run.start",
  idempotency: "keyed",
  calls: ["auth", "workspace"],
  routes: [
    { method: "POST", path: "/flows/:id/runs", summary: "Run a flow" },
    {
      name: "chat.flow-run.start-in-workspace",
      method: "POST",
      path: "/workspace/:slug/flows/:id/runs",
      summary: "Run a flow in a workspace, which its blocks can search",
      access: { who: "session", workspace: true },
      errors: inWorkspace,
    },
  ],
  /** Requests that `describeFlowRequests` lists count as approved by the person. */
  input: z.object({ slug: slug.optional(), id: flowId, inputs: flowInputs.default({}) }),
  output: z.object({ id: z.uuid() }),
});

/** How many runs a page has. */
export const flowRunsPerPage = 50;

export const listFlowRuns = defineOperation({
  ...bySession,
  name: "chat.flow-run.list",
  calls: ["auth", "workspace"],
  routes: [
    {
      method: "GET",
      path: "/flow-runs",
      summary: "List runs of flows: your own, or as an admin all",
    },
  ],
  input: z.object({
    flowId: flowId.optional(),
    state: z.enum(flowRunStates).optional(),
    trigger: z.enum(flowRunTriggers).optional(),
    /** `next` of the page before. */
    after: z.string().max(100).optional(),
  }),
  /** Latest first. */
  output: z.object({ runs: z.array(flowRunSummary), next: z.string().nullable() }),
});

export const getFlowRun = defineOperation({
  ...bySession,
  name: "chat.flow-run.get",
  calls: ["auth", "workspace"],
  routes: [
    { method: "GET", path: "/flow-runs/:id", summary: "Get a run of a flow with its blocks" },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-flow-run.get",
      method: "GET",
      path: "/v1/flow-runs/:id",
      summary: "Get a run that was started with the API, with its blocks",
    },
  ],
  input: z.object({ id: runId }),
  output: flowRunWire,
});

export const readFlowRunResult = defineOperation({
  ...bySession,
  name: "chat.flow-run.read-result",
  routes: [
    {
      method: "GET",
      path: "/flow-runs/:id/blocks/:path/result",
      summary: "Read a block's whole result in a run, in pieces",
    },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-flow-run.read-result",
      method: "GET",
      path: "/v1/flow-runs/:id/blocks/:path/result",
      summary: "Read a block's whole result in a run that was started with the API, in pieces",
    },
  ],
  input: z.object({
    id: runId,
    path: z.string().max(200),
    /** `next` of the piece before. */
    from: z.coerce.number().int().min(0).default(0),
  }),
  /** Null after the last piece. Blocks that hold others have only the start of their result. */
  output: z.object({ text: z.string(), next: z.number().int().nullable() }),
});

export const cancelFlowRun = defineOperation({
  ...bySession,
  name: "chat.flow-run.cancel",
  idempotency: "natural",
  routes: [
    { method: "DELETE", path: "/flow-runs/:id", summary: "Cancel a run of a flow" },
    {
      ...byKey("chat", { restrictedKeys: true }),
      name: "gateway.developer-flow-run.cancel",
      method: "DELETE",
      path: "/v1/flow-runs/:id",
      summary: "Cancel a run that was started with the API",
    },
  ],
  input: z.object({ id: runId }),
  /** false: it had ended. */
  output: z.object({ success: z.boolean() }),
});

export const rerunFlow = defineOperation({
  ...bySession,
  name: "chat.flow-run.rerun",
  idempotency: "keyed",
  calls: ["auth", "workspace"],
  routes: [
    { method: "POST", path: "/flow-runs/:id/rerun", summary: "Run a flow again, same inputs" },
  ],
  /**
   * start: the flow as it is now. end: the flow as it was, from the block at which the run ended;
   * the results of those before it are kept.
   */
  input: z.object({ id: runId, from: z.enum(["start", "end"]).default("start") }),
  output: z.object({ id: z.uuid() }),
});

export const answerFlowRun = defineOperation({
  ...bySession,
  name: "chat.flow-run.answer",
  idempotency: "natural",
  routes: [
    { method: "POST", path: "/flow-runs/:id/answer", summary: "Answer the question of a run" },
  ],
  input: z.object({
    id: runId,
    /** Of the question. */
    path: z.string().max(200),
    decision: z.enum(flowRunDecisions),
  }),
  /** false: it isn't asked any more. */
  output: z.object({ success: z.boolean() }),
});

/**
 * Internal: a run's next part, which ends with the flow, at a question, or with its replica; the
 * turn distinguishes repeated jobs from due ones.
 */
export const runFlowTurn = defineJob({
  name: "flow-run.run",
  service: "chat",
  queue: "flow-run",
  payload: z.object({ runId: z.uuid(), turn: z.number().int(), owner: z.string() }),
  attempts: 3,
  backoffMs: 2_000,
  fairBy: "owner",
});

/** A run has ended. */
export const flowRunEnded = defineEvent({
  name: "flow-run.ended",
  service: "chat",
  consumers: ["chat"],
  payload: z.object({
    runId: z.uuid(),
    flowId: z.uuid(),
    trigger: z.enum(flowRunTriggers),
    state: z.enum(["done", "failed", "denied", "cancelled"]),
  }),
});

/** An unattended run failed or was denied something: a notice for its owner. */
export const flowRunReported = defineEvent({
  name: "flow-run.reported",
  service: "chat",
  consumers: ["workspace"],
  payload: z.object({
    /** The event's ID, so that redelivery changes nothing. */
    id: z.uuid(),
    kind: z.enum(["flow.denied", "flow.failed"]),
    runId: z.uuid(),
    flowId: z.uuid(),
    userId: z.number().int().nullable(),
    workspaceId: z.number().int().nullable(),
    /** The flow's name. */
    title: z.string(),
    fault: faultWire,
    /** ISO 8601. */
    at: z.string(),
  }),
});

/** A run was queued or ended, waits for its owner, or continues: lists show it live. */
export const flowRunChanged = defineEvent({
  name: "flow-run.changed",
  service: "chat",
  consumers: [],
  payload: z.object({
    runId: z.uuid(),
    flowId: z.uuid(),
    userId: z.number().int().nullable(),
    state: z.enum(flowRunStates),
  }),
});

export const flowRunContracts: Contracts = {
  operations: [
    listSharedFlows,
    describeFlowRequests,
    startFlowRun,
    listFlowRuns,
    getFlowRun,
    readFlowRunResult,
    cancelFlowRun,
    rerunFlow,
    answerFlowRun,
  ],
  jobs: [runFlowTurn],
  events: [flowRunEnded, flowRunReported, flowRunChanged],
};
