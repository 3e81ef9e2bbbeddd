import * as c from "@carrel/contracts";
import { plain, inWorkspace, type Entry, type Fixture } from "./fixture.ts";

const ofStep = (body?: unknown): Fixture => ({
  names: ["generation"],
  // Its answer has no steps.
  allowed: [404],
  call: ({ generationId }) => ({ params: { id: generationId, step: 1 }, body }),
});

/** An answer that no key has asked for looks like a missing one. */
const ofKeyStep = (body?: unknown): Fixture => ({
  ...plain,
  allowed: [404],
  call: ({ generationId }) => ({ params: { id: generationId, step: 1 }, body }),
});

export const agentFixtures: Entry[] = [
  ["gateway.developer-step.decide", ofKeyStep({ decision: "denied" })],
  ["gateway.developer-step.answer", ofKeyStep({ answers: [] })],
  ["gateway.developer-step.read", ofKeyStep()],
  [c.decideStep, ofStep({ decision: "denied" })],
  [c.answerStep, ofStep({ answers: [] })],
  [c.readStep, ofStep()],
  [
    c.downloadGeneratedFile,
    {
      ...plain,
      allowed: [404],
      call: () => ({ params: { file: "00000000-0000-4000-8000-000000000001.txt" } }),
    },
  ],
  [c.addSkillPermission, { ...plain, call: () => ({ body: { skillName: "create-text-file" } }) }],
  [c.listSkillPermissions, plain],
  [c.removeSkillPermission, { ...plain, call: () => ({ params: { skillName: "send-mail" } }) }],
  [c.checkSkillAvailable, { ...plain, call: () => ({ params: { skill: "filesystem-agent" } }) }],
  [c.getSkillReach, plain],
  [c.getAgentModel, inWorkspace()],
  [c.getSkillSetup, { ...plain, call: () => ({ params: { skill: "gmail" } }) }],
  [c.startOutlookSignIn, { ...plain, call: () => ({ body: {} }), allowed: [400] }],
  [c.finishOutlookSignIn, { ...plain, allowed: [302] }],
  [c.revokeOutlook, { ...plain, call: () => ({ body: {} }) }],
  [
    c.validateSqlConnection,
    {
      ...plain,
      // Nothing listens there; the outcome has status 200.
      call: () => ({
        body: { engine: "postgresql", connectionString: "postgresql://127.0.0.1:9/a" },
      }),
    },
  ],
  [c.getWorkspaceSkills, inWorkspace()],
  [c.setWorkspaceSkills, inWorkspace({ off: [] })],
];
