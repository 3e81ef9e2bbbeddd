import * as c from "@carrel/contracts";
import { plain, inWorkspace, type Entry } from "./fixture.ts";

export const agentFixtures: Entry[] = [
  [c.addSkillPermission, { ...plain, call: () => ({ body: { skillName: "create-text-file" } }) }],
  [c.listSkillPermissions, plain],
  [c.removeSkillPermission, { ...plain, call: () => ({ params: { skillName: "send-mail" } }) }],
  [c.checkSkillAvailable, { ...plain, call: () => ({ params: { skill: "filesystem-agent" } }) }],
  [c.getSkillReach, plain],
  [c.getAgentModel, inWorkspace()],
  [c.getSkillSetup, { ...plain, call: () => ({ params: { skill: "gmail" } }) }],
  [c.revokeOutlook, { ...plain, call: () => ({ body: {} }) }],
  [c.getWorkspaceSkills, inWorkspace()],
  [c.setWorkspaceSkills, inWorkspace({ off: [] })],
];
