import {
  answerFlowRun,
  cancelFlowRun,
  CarrelError,
  deleteFlowTrigger,
  deliverFlowHook,
  describeFlowRequests,
  getFlowRun,
  listFlowRuns,
  listFlowTriggers,
  listSharedFlows,
  readFlowRunProgress,
  readFlowRunResult,
  rerunFlow,
  rotateFlowHookSecret,
  setFlowTrigger,
  startFlowRun,
  startFlowRunByKey,
  type FlowRunBlock,
  type FlowRunSummary,
  type FlowRunWire,
  type FlowTriggerWire,
  type In,
} from "@carrel/contracts";
import { row as accessRow, type AccessRow } from "./access-row.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, stream, text, type Row } from "./wire-row.ts";

const id = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";
const gone = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c11";
const at = "2026-11-30T00:00:00.000Z";
const shared = {
  flows: [
    {
      id,
      name: "Greeting",
      description: "Greets a city.",
      variables: [{ name: "city", value: "Rome", description: "" }],
      sends: false,
      searches: false,
    },
  ],
};
const block: FlowRunBlock = {
  path: "0",
  id: null,
  type: "llmInstruction",
  title: null,
  state: "done",
  milliseconds: 12,
  result: "Hello, Rome!",
  isCut: false,
  fault: null,
};
const summary: FlowRunSummary = {
  id,
  flowId: id,
  name: "Greeting",
  version: 2,
  trigger: "manual",
  state: "done",
  owner: null,
  workspace: null,
  fault: null,
  createdAt: at,
  startedAt: at,
  endedAt: at,
};
const run: FlowRunWire = {
  ...summary,
  inputs: { city: "Rome" },
  output: "Hello, Rome!",
  sources: [],
  question: null,
  blocks: [block],
  blockCount: 1,
  canContinue: false,
};
const trigger: FlowTriggerWire = {
  id,
  kind: "webhook",
  owner: null,
  workspaceId: null,
  approvals: [],
  path: `/api/flow-hooks/${id}`,
  createdAt: at,
};
const result = { text: "Hello, Rome!", next: null };
const requests = { requests: [], approvals: [{ id: "ok", title: "Approval", question: "Go on?" }] };
const ended = { id, state: "done", output: "Hello, Rome!", fault: null, error: null };

export function answerFlowRunRows({ chat }: TestInstance): void {
  const known = (input: { id: string }): void => {
    if (input.id !== id) throw new CarrelError("flow.run-not-found");
  };
  chat
    .answer(listSharedFlows, shared)
    .answer(describeFlowRequests, requests)
    .answer(startFlowRun, { id })
    .answer(listFlowRuns, { runs: [summary], next: null })
    .answer(getFlowRun, (input: In<typeof getFlowRun>) => {
      known(input);
      return run;
    })
    .answer(readFlowRunProgress, {
      state: "done",
      question: null,
      output: run.output,
      fault: null,
      blocks: [block],
      position: 1,
    })
    .answer(readFlowRunResult, result)
    .answer(cancelFlowRun, { success: true })
    .answer(rerunFlow, { id })
    .answer(answerFlowRun, { success: true })
    .answer(startFlowRunByKey, (input: In<typeof startFlowRunByKey>) => {
      if (input.id !== id) throw new CarrelError("flow.trigger-not-found");
      return { id };
    })
    .answer(listFlowTriggers, { triggers: [trigger] })
    .answer(setFlowTrigger, { trigger, secret: "whsec_c2VjcmV0" })
    .answer(rotateFlowHookSecret, { secret: "whsec_c2VjcmV0" })
    .answer(deleteFlowTrigger, { success: true })
    .answer(deliverFlowHook, { id });
}

const missing = { body: { success: false, error: "This run doesn't exist." } };
const success = { body: { success: true } };
const frames = [
  { type: "block", block },
  { type: "end", ...ended },
];
const streamed = frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join("");
const triggers = `/flows/${id}/triggers`;

export const flowRunRows: Row[] = [
  // Carrel-specific (docs/decisions/flow-runs.md).
  row("chat.flow-run.list-flows", ["GET", "/shared-flows"], 200, json, { body: shared }),
  row("chat.flow-run.describe-requests", ["POST", `/flows/${id}/requests`, {}], 200, json, {
    body: requests,
  }),
  row(
    "chat.flow-run.start",
    ["POST", `/flows/${id}/runs`, { inputs: { city: "Rome" } }],
    200,
    json,
    {
      body: { id },
    },
  ),
  row(
    "chat.flow-run.start-in-workspace",
    ["POST", `/workspace/w/flows/${id}/runs`, {}],
    200,
    json,
    { body: { id } },
  ),
  row("chat.flow-run.list", ["GET", `/flow-runs?flowId=${id}&state=done`], 200, json, {
    body: { runs: [summary], next: null },
  }),
  row("chat.flow-run.get", ["GET", `/flow-runs/${id}`], 200, json, { body: run }),
  row("chat.flow-run.get", ["GET", `/flow-runs/${gone}`], 404, json, missing),
  row("chat.flow-run.read-result", ["GET", `/flow-runs/${id}/blocks/0/result?from=0`], 200, json, {
    body: result,
  }),
  row("gateway.flow-run.watch", ["GET", `/flow-runs/${id}/stream`], 200, stream, {
    body: streamed,
  }),
  row("gateway.flow-run.watch", ["GET", `/flow-runs/${gone}/stream`], 404, json, missing),
  row("chat.flow-run.cancel", ["DELETE", `/flow-runs/${id}`], 200, json, success),
  row("chat.flow-run.rerun", ["POST", `/flow-runs/${id}/rerun`, { from: "end" }], 200, json, {
    body: { id },
  }),
  row(
    "chat.flow-run.answer",
    ["POST", `/flow-runs/${id}/answer`, { path: "0", decision: "once" }],
    200,
    json,
    success,
  ),
  row("chat.flow-trigger.list", ["GET", triggers], 200, json, { body: { triggers: [trigger] } }),
  row("chat.flow-trigger.set", ["PUT", `${triggers}/webhook`, {}], 200, json, {
    body: { trigger, secret: "whsec_c2VjcmV0" },
  }),
  row("chat.flow-trigger.rotate-secret", ["POST", `${triggers}/webhook/secret`, {}], 200, json, {
    body: { secret: "whsec_c2VjcmV0" },
  }),
  row("chat.flow-trigger.delete", ["DELETE", `${triggers}/api`], 200, json, success),
  // Nothing signs it.
  row("gateway.flow-hook.receive", ["POST", `/flow-hooks/${id}`, { a: 1 }], 404, text, {
    body: "Not Found",
  }),
  row("gateway.flow-hook.receive", ["POST", "/flow-hooks/nothing", "not json"], 404, text, {
    body: "Not Found",
  }),
];

const byKey = (
  operation: string,
  call: [string, string, unknown?],
  body: unknown,
  more: Partial<AccessRow> = {},
): AccessRow => accessRow(`gateway.developer-${operation}`, "key", () => call, body, more);

export const developerFlowRows: AccessRow[] = [
  byKey("flow.list", ["GET", "/v1/flows"], shared),
  byKey("flow.run", ["POST", `/v1/flows/${id}/run`, { inputs: { city: "Rome" } }], ended),
  byKey("flow.run", ["POST", `/v1/flows/${gone}/run`, {}], undefined, { status: 404 }),
  byKey("flow-run.get", ["GET", `/v1/flow-runs/${id}`], run),
  byKey("flow-run.read-result", ["GET", `/v1/flow-runs/${id}/blocks/0/result`], result),
  byKey("flow-run.cancel", ["DELETE", `/v1/flow-runs/${id}`], { success: true }),
];
