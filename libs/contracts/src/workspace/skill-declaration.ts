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
  { id: "create-scheduled-job", tools: ["create-scheduled-job"], isDefault: false },
] as const satisfies readonly SkillDeclaration[];
export type SkillId = (typeof skills)[number]["id"];
export const isSkill = (id: unknown): id is SkillId => skills.some((skill) => skill.id === id);

/**
 * What admins decide about a skill. ask: each call needs the person's approval. forbid: it can't be
 * used, even where a workspace or a question asks for it.
 */
export const skillRules = ["ask", "forbid"] as const;

export const sqlEngines = ["postgresql", "mysql", "sql-server"] as const;

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

/** How clients read a stored secret; one of nothing but asterisks is never stored. */
export const secretMask = "********";
export const isSecretMask = (text: string): boolean => /^\*+$/.test(text);
