import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/** What an agent can do. Its settings apply to all workspaces (specification 1, section 6). */
export interface SkillDeclaration {
  id: string;
  /** The names of its tools, as models and existing clients know them. */
  tools: readonly string[];
  /** Whether it is on until an admin switches it off; the others are off until switched on. */
  isDefault: boolean;
  /** The preference that lists its tools that are switched off (wire-contract 5.7). */
  disabledTools?: string;
}

/** In the order of settings pages. */
export const skills = [
  {
    id: "rag-memory",
    tools: ["search-documents", "list-documents", "read-document", "remember"],
    isDefault: true,
  },
  { id: "document-summarizer", tools: ["summarize-document"], isDefault: true },
  { id: "web-scraping", tools: ["read-web-page"], isDefault: true },
  { id: "web-browsing", tools: ["search-web"], isDefault: false },
  { id: "request-user-input", tools: ["ask-person"], isDefault: false },
  { id: "create-chart", tools: ["create-chart"], isDefault: false },
  { id: "code-interpreter", tools: ["run-code"], isDefault: false },
  {
    id: "create-files-agent",
    tools: [
      "create-text-file",
      "create-pdf-file",
      "create-docx-file",
      "create-excel-file",
      "create-pptx-presentation",
    ],
    isDefault: false,
    disabledTools: "disabled_create_files_skills",
  },
  {
    id: "sql-agent",
    tools: ["sql-list-databases", "sql-list-tables", "sql-get-table-schema", "sql-query"],
    isDefault: false,
  },
  {
    id: "filesystem-agent",
    tools: [
      "filesystem-read-text-file",
      "filesystem-read-multiple-files",
      "filesystem-write-text-file",
      "filesystem-edit-file",
      "filesystem-create-directory",
      "filesystem-list-directory",
      "filesystem-move-file",
      "filesystem-copy-file",
      "filesystem-search-files",
      "filesystem-get-file-info",
    ],
    isDefault: false,
    disabledTools: "disabled_filesystem_skills",
  },
  {
    id: "gmail-agent",
    tools: ["gmail-search", "gmail-read", "gmail-create-draft", "gmail-send"],
    isDefault: false,
    disabledTools: "disabled_gmail_skills",
  },
  {
    id: "google-calendar-agent",
    tools: ["calendar-list-events", "calendar-create-event", "calendar-update-event"],
    isDefault: false,
    disabledTools: "disabled_google_calendar_skills",
  },
  {
    id: "outlook-agent",
    tools: ["outlook-search", "outlook-read", "outlook-create-draft", "outlook-send"],
    isDefault: false,
    disabledTools: "disabled_outlook_skills",
  },
] as const satisfies readonly SkillDeclaration[];
export type SkillId = (typeof skills)[number]["id"];

/**
 * What admins decide about a skill. ask: each call needs the person's approval. forbid: it can't be
 * used, even where a workspace or a question asks for it.
 */
export const skillRules = ["ask", "forbid"] as const;

export const sqlEngines = ["postgresql", "mysql", "sql-server"] as const;

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
  outlook: z
    .object({
      clientId: z.string(),
      tenantId: z.string(),
      clientSecret: z.string(),
      /** Of the person who signed in; null: nobody has. */
      refreshToken: z.string().nullable(),
    })
    .nullable(),
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

export const skillContracts: Contracts = { operations: [getAgentSettings] };
