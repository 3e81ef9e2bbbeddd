import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

const importId = "allm-community-id:slash-command:isolated";
/** 422: no hub is chosen, so nothing is asked of any. */
const off = (body?: object, params: Record<string, string> = {}): Fixture => ({
  ...plain,
  call: () => ({ params, ...(body !== undefined && { body }) }),
  allowed: [422],
});
const publication = { name: "isolated", prompt: "isolated" };

export const hubFixtures: Entry[] = [
  [c.getHubSettings, plain],
  ["connectors.hub.settings-legacy", plain],
  [c.updateHubSettings, { ...plain, call: () => ({ body: { downloads: "off" } }) }],
  ["connectors.hub.update-settings-legacy", { ...plain, call: () => ({ body: {} }) }],
  [c.checkHub, { ...plain, call: () => ({ body: { source: { kind: "off" } } }) }],
  [c.exploreHub, off()],
  [c.searchHub, { ...off(), call: () => ({ query: { type: "agent-flow" } }) }],
  [c.listOwnHubItems, off()],
  [c.getHubItem, off({ importId })],
  [c.previewHubItem, off({ importId })],
  [c.applyHubItem, off({ importId })],
  [c.importHubItem, off({ importId })],
  [c.preparePublication, off(publication, { type: "system-prompt" })],
  [c.publishHubItem, off(publication, { type: "system-prompt" })],
];
