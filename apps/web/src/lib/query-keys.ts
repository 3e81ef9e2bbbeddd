/** Query keys used by more than one feature. */
export const workspaceKeys = {
  list: ["workspaces"],
  picture: (slug: string, file: string | null) => ["workspace-picture", slug, file],
  suggestedMessages: (slug: string) => ["suggested-messages", slug],
  suggestedQuestions: (slug: string) => ["suggested-questions", slug],
} as const;

export const threadKeys = {
  all: ["threads"],
  list: (slug: string) => ["threads", slug],
  allTrash: ["trash"],
  trash: (slug: string) => ["trash", slug],
} as const;

export const turnKeys = {
  all: ["turns"],
  list: (slug: string, threadSlug: string | null) => ["turns", slug, threadSlug],
  allGenerations: ["generation"],
  generation: (slug: string, threadSlug: string | null) => ["generation", slug, threadSlug],
} as const;

export const modelKeys = {
  all: ["models"],
  ofThread: (slug: string, threadSlug: string | null) => ["models", "thread", slug, threadSlug],
  choices: (slug: string) => ["models", "choices", slug],
  listed: (provider: string) => ["models", "listed", provider],
  allFallbacks: ["models", "fallbacks"],
  allParameters: ["models", "parameters"],
  parameters: (slug: string, threadSlug: string | null) => [
    "models",
    "parameters",
    slug,
    threadSlug,
  ],
  fallbacks: (slug: string | null) => ["models", "fallbacks", slug],
} as const;

export const documentKeys = {
  all: ["documents"],
  inWorkspace: (slug: string) => ["documents", slug],
  named: (slug: string, term: string) => ["documents", slug, "named", term],
  counts: ["document-counts"],
  searchState: (slug: string) => ["document-counts", "search-state", slug],
  acceptedTypes: ["accepted-types"],
} as const;

export const agentKeys = {
  all: ["agents"],
  preferences: ["agents", "preferences"],
  reach: ["agents", "reach"],
  setup: ["agents", "setup"],
  workspace: (slug: string) => ["agents", "workspace", slug],
  model: (slug: string) => ["agents", "workspace", slug, "model"],
} as const;

export const hubKeys = {
  all: ["hub"],
  settings: ["hub", "settings"],
} as const;

export const instanceKeys = {
  localModels: ["local-models"],
  setup: ["setup"],
  memberRights: ["member-rights"],
  passwordRules: ["password-rules"],
  providers: ["providers"],
  defaultPrompt: ["default-prompt"],
  promptVariables: ["prompt-variables"],
  welcomeMessages: ["welcome-messages"],
  branding: ["branding"],
} as const;
