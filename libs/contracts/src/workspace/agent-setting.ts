import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace, outcomeWire } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { skillRules, skills } from "./skill.ts";

/** Preference labels of agents (wire-contract 5.7 and 7). */
export const agentLabels = {
  /** Skills switched on, of those that are off by default. */
  switchedOn: "default_agent_skills",
  /** Skills switched off, of those that are on by default. */
  switchedOff: "disabled_agent_skills",
  searchProvider: "agent_search_provider",
  sqlConnections: "agent_sql_connections",
  asks: "agent_clarifying_questions_enabled",
  maxQuestions: "agent_clarifying_questions_max_per_turn",
  gmail: "gmail_agent_config",
  calendar: "google_calendar_agent_config",
  outlook: "outlook_agent_config",
  /** Carrel-specific: an approval rule by skill. */
  rules: "agent_skill_rules",
  /** Carrel-specific: new workspaces are in automatic mode. */
  automatic: "agent_automatic_default",
} as const;

/** Preferences that decide how agents work. */
export const agentPreferences: readonly string[] = [
  ...Object.values(agentLabels),
  ...skills.flatMap((skill) => ("disabledTools" in skill ? [skill.disabledTools] : [])),
];

/** Setting keys (wire-contract 11); the search providers declare others. */
export const agentSettingKeys = {
  maxToolCalls: "AgentSkillMaxToolCalls",
  rerankerEnabled: "AgentSkillRerankerEnabled",
  rerankerTopN: "AgentSkillRerankerTopN",
} as const;

export const defaultMaxToolCalls = 10;
export const maxMaxToolCalls = 200;
export const defaultMaxQuestions = 3;
export const maxMaxQuestions = 10;
export const defaultRerankerTopN = 15;

/** By skill ID, or `mcp:<server>`. */
export const skillRuleMap = z.record(z.string().min(1).max(128), z.enum(skillRules));
export type SkillRuleMap = z.infer<typeof skillRuleMap>;

/** How clients read a stored secret; one of nothing but asterisks is never stored. */
export const secretMask = "********";
export const isSecretMask = (text: string): boolean => /^\*+$/.test(text);

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
