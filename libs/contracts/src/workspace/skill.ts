import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";
import { skillRules, sqlEngines } from "./skill-declaration.ts";

export * from "./skill-declaration.ts";

/** A database that agents may query. */
export const sqlConnection = z.object({
  /** `database_id` on the wire. */
  name: z.string(),
  engine: z.enum(sqlEngines),
  connectionString: z.string(),
  /** PostgreSQL's; null: the default. */
  schema: z.string().nullable(),
});
export type SqlConnection = z.infer<typeof sqlConnection>;

/** An Apps Script that a person has deployed in their own account. */
const appsScript = z.object({ deploymentId: z.string(), apiKey: z.string() });

/** The app that an admin has registered with Microsoft Entra ID. */
const outlookSettings = z.object({
  clientId: z.string(),
  tenantId: z.string(),
  clientSecret: z.string(),
  /** Token of the person who signed in; null if nobody has. */
  refreshToken: z.string().nullable(),
});

/** How agents work in a workspace, with the secrets of their skills: never for clients. */
export const agentSettings = z.object({
  /** IDs of the skills that are on for the instance and not switched off in the workspace. */
  skills: z.array(z.string()),
  /** Names of tools that are switched off, of skills that are on. */
  disabledTools: z.array(z.string()),
  rules: z.record(z.string(), z.enum(skillRules)),
  /** In one answer. */
  maxToolCalls: z.number().int().min(1),
  /** Questions an agent may ask in one answer; 0: none. */
  maxQuestions: z.number().int().min(0),
  search: z.object({
    /** As `agent_search_provider` of wire-contract 5.7; null: none chosen. */
    provider: z.string().nullable(),
    /** Settings by key, such as AgentSerperApiKey. */
    values: z.record(z.string(), z.string()),
  }),
  sqlConnections: z.array(sqlConnection),
  gmail: appsScript.nullable(),
  calendar: appsScript.nullable(),
  outlook: outlookSettings.nullable(),
});
export type AgentSettings = z.infer<typeof agentSettings>;

/** Internal: the agent settings of the workspace. */
export const getAgentSettings = defineOperation({
  name: "workspace.agent-settings.get",
  service: "workspace",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({}),
  output: agentSettings,
});

/**
 * Internal: a connection string with the saved password of its server in place of the mask. Fails
 * with `sql.password-needed` if there is none, and with `sql.connection-string-invalid`.
 */
export const fillDatabasePassword = defineOperation({
  name: "workspace.agent-settings.fill-database-password",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ engine: z.enum(sqlEngines), connectionString: z.string() }),
  output: z.object({ connectionString: z.string() }),
});

/** Internal: an MCP server is being deleted, and its rule with it. */
export const forgetSkillRule = defineOperation({
  name: "workspace.agent-settings.forget-rule",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ skill: z.string().max(128) }),
  output: z.object({}),
});

/** Internal: null if it isn't set up, or the instance has user accounts. */
export const getOutlookSettings = defineOperation({
  name: "workspace.agent-settings.get-outlook",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({ outlook: outlookSettings.nullable() }),
});

/**
 * Internal: keeps the refresh token of whoever signed in to Outlook. Nothing happens if another app
 * has been set up meanwhile.
 */
export const keepOutlookToken = defineOperation({
  name: "workspace.agent-settings.keep-outlook-token",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    clientId: z.string(),
    refreshToken: z.string().min(1).max(20_000),
    /** The token it was exchanged for, which must still be the kept one; null: a new sign-in. */
    replaces: z.string().nullable(),
  }),
  output: z.object({}),
});

export const skillContracts: Contracts = {
  operations: [
    getAgentSettings,
    fillDatabasePassword,
    forgetSkillRule,
    getOutlookSettings,
    keepOutlookToken,
  ],
};
