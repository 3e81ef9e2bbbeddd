import {
  CarrelError,
  createFlow,
  deleteFlow,
  flowStep,
  getFlow,
  getFlowVersion,
  listFlows,
  listFlowVersions,
  saveLegacyFlow,
  shareFlow,
  testFlow,
  toggleFlow,
  updateFlow,
  type FlowSummary,
  type FlowWire,
  type In,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const id = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c10";
const gone = "0b2c6bb4-1d0a-4c59-9a5e-5d2f0f3f6c11";
const steps = [
  flowStep.parse({ type: "start", config: { variables: [{ name: "city", value: "Rome" }] } }),
  flowStep.parse({ type: "llmInstruction", config: { instruction: "Greet ${city}." } }),
];
const summary: FlowSummary = {
  id,
  name: "Greeting",
  description: "Greets a city.",
  active: true,
  shared: true,
  version: 2,
  updatedAt: "2026-11-30T00:00:00.000Z",
  stepCount: 2,
  hasOwnBlocks: false,
  sends: false,
};
const flow: FlowWire = { ...summary, steps };
/** As existing clients read it (wire-contract 5.8). */
const config = { name: "Greeting", description: "Greets a city.", active: true, steps };
const legacy = { success: true, flow: { name: "Greeting", uuid: id, config } };
const saved = { success: true, flow: { success: true, uuid: id } };
const tested = {
  ok: true,
  steps: [],
  variables: { city: "Rome" },
  omitted: [],
  output: "Hello, Rome!",
  fault: null,
};
const versions = [
  { version: 2, name: "Greeting", savedBy: null, savedAt: summary.updatedAt, stepCount: 2 },
];
const content = { name: "Greeting", description: "Greets a city.", steps };

export function answerFlowRows({ chat }: TestInstance): void {
  const known = (input: { id: string }): void => {
    if (input.id !== id) throw new CarrelError("flow.not-found");
  };
  chat
    .answer(listFlows, { flows: [summary] })
    .answer(getFlow, (input: In<typeof getFlow>) => {
      known(input);
      return flow;
    })
    .answer(createFlow, { id, version: 1 })
    .answer(updateFlow, ({ version }: In<typeof updateFlow>) => {
      if (version !== 2) throw new CarrelError("flow.changed");
      return { version: 3 };
    })
    .answer(shareFlow, { success: true })
    .answer(listFlowVersions, { versions })
    .answer(getFlowVersion, { version: 1, ...content })
    .answer(testFlow, tested)
    .answer(saveLegacyFlow, ({ config: { steps } }: In<typeof saveLegacyFlow>) => {
      if (steps === undefined) throw new CarrelError("flow.steps-missing");
      if ((steps as { type: string }[])[0]?.type === "website")
        throw new CarrelError("flow.block-unsupported", { type: "website" });
      return { success: true as const, flow: { success: true as const, uuid: id } };
    })
    .answer(deleteFlow, (input: In<typeof deleteFlow>) => {
      known(input);
      return { success: true as const };
    })
    .answer(toggleFlow, (input: In<typeof toggleFlow>) => {
      known(input);
      return flow;
    });
}

const refusal = (error: string) => ({ body: { success: false, error } });
const save = (body: unknown, status: number, more: Pick<Row, "body">): Row =>
  row("chat.flow.save-legacy", ["POST", "/agent-flows/save", body], status, json, more);

export const flowRows: Row[] = [
  // wire-contract 5.8
  save({ name: "Greeting", config }, 200, { body: saved }),
  save({ name: "Greeting", config, uuid: id }, 200, { body: saved }),
  save({ name: "Greeting" }, 400, refusal("Name and config are required")),
  save({ config }, 400, refusal("Name and config are required")),
  save({ name: "", config }, 400, refusal("Name and config are required")),
  save({ name: "Greeting", config: {} }, 200, {
    body: { flow: null, error: "The flow's config has no steps." },
  }),
  save({ name: "Greeting", config: { steps: [{ type: "website", config: {} }] } }, 200, {
    body: { flow: null, error: "This builder can't save blocks of type website." },
  }),
  row("chat.flow.list-legacy", ["GET", "/agent-flows/list"], 200, json, {
    body: {
      success: true,
      flows: [{ name: "Greeting", uuid: id, description: "Greets a city.", active: true }],
    },
  }),
  row("chat.flow.get-legacy", ["GET", `/agent-flows/${id}`], 200, json, { body: legacy }),
  row("chat.flow.get-legacy", ["GET", `/agent-flows/${gone}`], 404, json, {
    ...refusal("Flow not found"),
  }),
  row("chat.flow.get-legacy", ["GET", "/agent-flows/none"], 404, json, {
    ...refusal("Flow not found"),
  }),
  row("chat.flow.delete", ["DELETE", `/agent-flows/${id}`], 200, json, { body: { success: true } }),
  row("chat.flow.delete", ["DELETE", `/agent-flows/${gone}`], 404, json, {
    ...refusal("Failed to delete flow"),
  }),
  row("chat.flow.toggle", ["POST", `/agent-flows/${id}/toggle`, { active: false }], 200, json, {
    body: legacy,
  }),
  row("chat.flow.toggle", ["POST", `/agent-flows/${gone}/toggle`, { active: false }], 404, json, {
    ...refusal("Flow not found"),
  }),
  // Carrel-specific (docs/decisions/flows.md).
  row("chat.flow.list", ["GET", "/flows"], 200, json, { body: { flows: [summary] } }),
  row("chat.flow.get", ["GET", `/flows/${id}`], 200, json, { body: flow }),
  row("chat.flow.get", ["GET", `/flows/${gone}`], 404, json, refusal("This flow doesn't exist.")),
  row("chat.flow.create", ["POST", "/flows", content], 200, json, { body: { id, version: 1 } }),
  row("chat.flow.update", ["PUT", `/flows/${id}`, { ...content, version: 2 }], 200, json, {
    body: { version: 3 },
  }),
  row("chat.flow.update", ["PUT", `/flows/${id}`, { ...content, version: 1 }], 409, json, {
    ...refusal("This flow was changed in the meantime. Load it again before you save it."),
  }),
  row("chat.flow.share", ["PUT", `/flows/${id}/sharing`, { shared: false }], 200, json, {
    body: { success: true },
  }),
  row("chat.flow.list-versions", ["GET", `/flows/${id}/versions`], 200, json, {
    body: { versions },
  }),
  row("chat.flow.get-version", ["GET", `/flows/${id}/versions/1`], 200, json, {
    body: { version: 1, ...content },
  }),
  row("chat.flow.test", ["POST", `/flows/${id}/test`, { inputs: { city: "Rome" } }], 200, json, {
    body: tested,
  }),
  row(
    "chat.flow.test-in-workspace",
    ["POST", `/workspace/w/flows/${id}/test`, { inputs: { city: "Rome" } }],
    200,
    json,
    { body: tested },
  ),
  row("chat.flow.test-unsaved", ["POST", "/flows/test", { steps }], 200, json, { body: tested }),
  row(
    "chat.flow.test-unsaved-in-workspace",
    ["POST", "/workspace/w/flows/test", { steps }],
    200,
    json,
    { body: tested },
  ),
];
