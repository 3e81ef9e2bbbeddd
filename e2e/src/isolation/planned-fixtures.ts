import * as c from "@carrel/contracts";
import { plain, type Entry, type Fixture } from "./fixture.ts";

const refused = (status: number, params: Record<string, string> = {}, body?: unknown): Fixture => ({
  ...plain,
  call: () => ({ params, body }),
  allowed: [status],
});
const ofSkill = refused(404, { hubId: "a" }, {});

/** These refer to nothing, because none of it exists yet. */
export const plannedFixtures: Entry[] = [
  [c.changeImportedSkill, ofSkill],
  ["gateway.skill.configure", ofSkill],
  ["gateway.skill.delete", ofSkill],
  [c.askHub, refused(422)],
  ["gateway.hub.update-settings", refused(422, {}, {})],
  ["gateway.hub.explore", refused(422)],
  ["gateway.hub.items", refused(422)],
  ["gateway.hub.item", refused(422, {}, {})],
  ["gateway.hub.apply", refused(422, {}, {})],
  ["gateway.hub.import", refused(422, {}, {})],
  ["gateway.hub.create", refused(422, { type: "agent-flow" }, {})],
];
