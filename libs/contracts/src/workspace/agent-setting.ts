import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace, outcomeWire } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { skillRules, skills } from "./skill-declaration.ts";

/** By skill ID, or `mcp:<server>`. */
export const skillRuleMap = z.record(z.string().min(1).max(128), z.enum(skillRules));
export type SkillRuleMap = z.infer<typeof skillRuleMap>;

/** Carrel-specific: what the instance allows, and what is on in the workspace. */
export const getWorkspaceSkills = defineOperation({
  name: "workspace.agent-settings.get-skills",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/agent-skills",
      summary: "List the agent skills of the instance, and which are on in a workspace",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    /** Those that are on for the instance, in the order of settings pages. */
    skills: z.array(z.object({ id: z.string(), isOn: z.boolean() })),
  }),
});

/** Carrel-specific: replaces the list. A skill that is off for the instance stays off. */
export const setWorkspaceSkills = defineOperation({
  name: "workspace.agent-settings.set-skills",
  service: "workspace",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/agent-skills",
      summary: "Set which agent skills are off in a workspace",
    },
  ],
  input: z.object({ slug, off: z.array(z.enum(skills.map(({ id }) => id))).max(skills.length) }),
  output: z.object({ success: z.literal(true) }),
});

/** Skills that sign in elsewhere for one person, so they need an instance of one person. */
const personalSkills = ["gmail", "google-calendar", "outlook"] as const;

/** wire-contract 7, which gives only the name. */
export const getSkillSetup = defineOperation({
  name: "workspace.agent-settings.get-setup",
  service: "workspace",
  access: { who: "session", mode: "single" },
  routes: [
    {
      method: "GET",
      path: "/admin/agent-skills/:skill/status",
      summary: "Check whether an agent skill that signs in elsewhere is set up",
    },
  ],
  input: z.object({ skill: z.enum(personalSkills) }),
  output: z.object({
    success: z.literal(true),
    error: z.null(),
    isConfigured: z.boolean(),
    /** Whether somebody has signed in, where the skill needs it. */
    isAuthenticated: z.boolean(),
    /** Stored fields; a secret is a mask. */
    config: z.record(z.string(), z.string()),
  }),
});

/** wire-contract 7, which gives only the name: forgets who signed in to Outlook. */
export const revokeOutlook = defineOperation({
  name: "workspace.agent-settings.revoke-outlook",
  service: "workspace",
  access: { who: "session", mode: "single" },
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/admin/agent-skills/outlook/revoke",
      summary: "Sign an agent's Outlook skill out",
    },
  ],
  input: z.object({}),
  output: outcomeWire,
});

export const agentSettingContracts: Contracts = {
  operations: [getWorkspaceSkills, setWorkspaceSkills, getSkillSetup, revokeOutlook],
};
