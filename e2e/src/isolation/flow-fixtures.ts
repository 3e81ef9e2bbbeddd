import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

const id = "00000000-0000-4000-8000-000000000000";
const params = { id, uuid: id, version: "1" };
/** None of them exists: flows are the instance's, so only their policy matters here. */
const gone = (body?: unknown): Fixture => ({
  names: [],
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [404],
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
  [
    "chat.flow.test-in-workspace",
    {
      names: ["workspace"],
      call: ({ slug }) => ({ params: { ...params, slug }, body: {} }),
      allowed: [404],
    },
  ],
  // Sent as text, which this route doesn't read.
  [
    c.saveLegacyFlow,
    { ...plain, call: () => ({ body: { name: "isolated", config: {} } }), allowed: [400] },
  ],
  [c.deleteFlow, gone()],
  [c.toggleFlow, gone({ active: false })],
];
