import * as c from "@carrel/contracts";
import { inWorkspace, plain, type Entry, type Fixture } from "./fixture.ts";

const id = "00000000-0000-4000-8000-000000000000";
const params = { id, uuid: id, version: "1", path: "0" };
/** None of them exists: flows are the instance's, so only their policy matters here. */
const gone = (body?: unknown): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
});
const goneInWorkspace: Fixture = {
  names: ["workspace"],
  call: ({ slug }) => ({ params: { ...params, slug }, body: {} }),
  allowed: [404],
};
const goneTrigger = (body?: unknown): Fixture => ({
  ...gone(),
  call: () => ({ params: { ...params, kind: "api" }, ...(body !== undefined && { body }) }),
});
const content = { name: "isolated", steps: [] };

export const flowFixtures: Entry[] = [
  [c.listFlows, plain],
  ["chat.flow.list-legacy", plain],
  [c.getFlow, gone()],
  ["chat.flow.get-legacy", gone()],
  [c.createFlow, { ...plain, call: () => ({ body: content }) }],
  [c.updateFlow, gone({ ...content, version: 1 })],
  [c.shareFlow, gone({ shared: true })],
  [c.listFlowVersions, gone()],
  [c.getFlowVersion, gone()],
  [c.testFlow, gone({})],
  ["chat.flow.test-in-workspace", goneInWorkspace],
  ["chat.flow.test-unsaved", { ...plain, call: () => ({ body: { steps: [] } }) }],
  ["chat.flow.test-unsaved-in-workspace", inWorkspace({ steps: [] })],
  // Sent as text, which this route doesn't read.
  [
    c.saveLegacyFlow,
    { ...plain, call: () => ({ body: { name: "isolated", config: {} } }), allowed: [400] },
  ],
  [c.deleteFlow, gone()],
  // Runs of others look like missing ones (services/chat/src/flow-run).
  [c.listSharedFlows, plain],
  ["gateway.developer-flow.list", plain],
  [c.describeFlowRequests, gone({})],
  [c.startFlowRun, gone({})],
  ["chat.flow-run.start-in-workspace", goneInWorkspace],
  [c.listFlowRuns, plain],
  [c.getFlowRun, gone()],
  [c.readFlowRunResult, gone()],
  [c.watchFlowRun, gone()],
  [c.cancelFlowRun, gone()],
  [c.rerunFlow, gone({})],
  [c.answerFlowRun, gone({ path: "0", decision: "denied" })],
  ["gateway.developer-flow-run.get", gone()],
  ["gateway.developer-flow-run.read-result", gone()],
  ["gateway.developer-flow-run.cancel", gone()],
  [c.runFlowByKey, gone({})],
  [c.listFlowTriggers, gone()],
  [c.setFlowTrigger, goneTrigger({})],
  [c.rotateFlowHookSecret, gone({})],
  [c.deleteFlowTrigger, goneTrigger()],
  // Nothing signs it.
  [c.receiveFlowHook, gone({})],
  [c.toggleFlow, gone({ active: false })],
];
