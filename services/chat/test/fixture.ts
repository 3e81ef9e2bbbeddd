import {
  confirmWorkspaceDeleted,
  keepOutlookToken,
  listContextTexts,
  listLeadPassages,
  lookUpDocuments,
  readDocumentPart,
  resolvePromptParts,
  searchPassages,
  type AgentSettings,
  type AnswerParameters,
  type FallbackModels,
  type In,
  type Out,
  type Passage,
  type WorkspaceWire,
} from "@carrel/contracts";

/** A document of a workspace, as far as agents read it. */
export interface FixtureDocument {
  id: string;
  title: string;
  text: string;
  folder?: string;
  pages?: Out<typeof readDocumentPart>["pages"];
}

/** The data with which the stand-ins for workspace and ingest reply, by workspace ID. */
export class Fixture {
  readonly workspaces = new Map<number, WorkspaceWire>();
  readonly passages = new Map<number, Passage[]>();
  readonly documentCounts = new Map<number, number>();
  /** Users with the role default that may use a workspace; if unset, all may. */
  readonly members = new Map<number, Set<number>>();
  /** Whether the instance has user accounts. */
  hasAccounts = false;
  readonly admins = new Set<number>();
  /** Users with the role manager. */
  readonly managers = new Set<number>();
  readonly suspended = new Set<number>();
  readonly deletedUsers = new Set<number>();
  readonly dailyLimits = new Map<number, number>();
  readonly languages = new Map<number, string>();
  readonly failingSearches = new Set<number>();
  /** Stores or embedders that a workspace's search had to do without. */
  readonly fallbacks = new Map<number, Out<typeof searchPassages>["fallback"]>();
  readonly searches: In<typeof searchPassages>[] = [];
  /** Newest first. */
  readonly documents = new Map<number, FixtureDocument[]>();
  readonly lookUps: In<typeof lookUpDocuments>[] = [];
  readonly leads: In<typeof listLeadPassages>[] = [];
  /** Full texts of a workspace; a file names its thread. */
  readonly fullTexts = new Map<
    number,
    (Out<typeof listContextTexts>["texts"][number] & { threadId?: number })[]
  >();
  /** Passages that still exist, no matter which answers cite them. */
  readonly living = new Map<number, Passage[]>();
  readonly files = new Map<number, number>();
  /** Documents that only these users may see. */
  readonly restricted = new Map<string, number[]>();
  /** Characters of full texts per reply. */
  pageCharacters = 1_000_000;
  presets: { command: string; prompt: string }[] = [];
  variables: Record<string, string> = {};
  defaultPrompt: string | undefined;
  /** Goes up with each saved setting; models are cached by it. */
  settingsVersion = 1;
  /** Workspaces' own lists; others follow the instance's. */
  readonly fallbackModels = new Map<number, FallbackModels>();
  readonly parameters = new Map<number, AnswerParameters>();
  /** Stands in for a masked one. */
  databasePassword = "";
  /** Whether the rule of an agent's skill can't be deleted. */
  cannotForget = false;
  readonly keptTokens: In<typeof keepOutlookToken>[] = [];
  agents: AgentSettings = {
    skills: ["rag-memory", "document-summarizer", "web-scraping"],
    disabledTools: [],
    rules: {},
    maxToolCalls: 10,
    maxQuestions: 0,
    search: { provider: null, values: {} },
    sqlConnections: [],
    gmail: null,
    calendar: null,
    outlook: null,
  };
  readonly resolved: (In<typeof resolvePromptParts> & { userId: number | null })[] = [];
  readonly confirmed: In<typeof confirmWorkspaceDeleted>[] = [];
  values: Record<string, string> = {};
  secrets: Record<string, string> = {};
}
/** Injection token of the fixture. */
export const FIXTURE = Symbol("FIXTURE");
