import { liveSyncLabel } from "@carrel/contracts";
import {
  cleanText,
  readFooter,
  readFlag,
  readList,
  readNumber,
  readText,
  readWebAddress,
} from "./preference-value.ts";

/** The settings in force, of which some labels show a default. */
interface EffectiveSettings {
  values: ReadonlyMap<string, string>;
}

/** One label of wire-contract 7's table. */
export interface PreferenceDefinition {
  /** Managers set and see only their five. */
  by: "manager" | "admin";
  /** What a client sent, as it is kept: null forgets it, undefined leaves it. Absent: read only. */
  write?: (sent: unknown) => unknown;
  /** What is kept (undefined: nothing) in the wire's words. Absent: it is not shown here. */
  read?: (kept: unknown, settings: EffectiveSettings) => unknown;
  /** Pages keep it in caches. */
  isBranding?: true;
}

const orNull = (kept: unknown): unknown => kept ?? null;
const wordOf =
  (fallback: boolean) =>
  (kept: unknown): string =>
    String(kept ?? fallback);
const text = (longest: number) => ({ write: readText(longest), read: orNull });
const list = { by: "admin", write: readList, read: (kept: unknown) => kept ?? [] } as const;

/** wire-contract 5.7. */
const searchProviders = new Set([
  "google-search-engine",
  "serpapi",
  "searchapi",
  "serper-dot-dev",
  "bing-search",
  "baidu-search",
  "serply-engine",
  "searxng-engine",
  "tavily-search",
  "duckduckgo-engine",
  "exa-search",
  "perplexity-search",
  "brave-search",
  "crw-search",
  "you-search",
]);
const defaultChunkLength = 1000;
/** What the embedder takes at most, where somebody has said it. */
const embedderLength = (settings: EffectiveSettings): number | null => {
  const length = Number(settings.values.get("EmbeddingModelMaxChunkLength") ?? Number.NaN);
  return Number.isInteger(length) && length > 0 ? length : null;
};

/**
 * Labels that this instance keeps. What the wire's product also takes here and Carrel does not:
 * `logo_filename` (a path
 * from a client), `telemetry_id` (nothing is reported), and labels that hold secrets of agent
 * skills and the hub.
 */
export const preferenceDefinitions: ReadonlyMap<string, PreferenceDefinition> = new Map<
  string,
  PreferenceDefinition
>([
  ["custom_app_name", { by: "manager", ...text(255), isBranding: true }],
  [
    "footer_data",
    {
      by: "manager",
      write: readFooter,
      read: (kept) => JSON.stringify(readFooter(kept)),
      isBranding: true,
    },
  ],
  ["support_email", { by: "manager", ...text(320), isBranding: true }],
  ["meta_page_title", { by: "manager", ...text(255), isBranding: true }],
  ["meta_page_favicon", { by: "manager", write: readWebAddress, read: orNull, isBranding: true }],
  [
    "text_splitter_chunk_size",
    {
      by: "admin",
      write: readNumber(1, defaultChunkLength),
      read: (kept, settings) => kept ?? embedderLength(settings),
    },
  ],
  ["text_splitter_chunk_overlap", { by: "admin", write: readNumber(0, 20), read: orNull }],
  [
    "max_embed_chunk_size",
    { by: "admin", read: (_kept, settings) => embedderLength(settings) ?? defaultChunkLength },
  ],
  [
    "agent_search_provider",
    {
      by: "admin",
      write: (sent) => (typeof sent === "string" && searchProviders.has(sent) ? sent : null),
      read: orNull,
    },
  ],
  ["agent_sql_connections", { by: "admin", read: () => [] }],
  ["default_agent_skills", list],
  ["disabled_agent_skills", list],
  ["disabled_filesystem_skills", list],
  ["disabled_create_files_skills", list],
  ["disabled_gmail_skills", list],
  ["disabled_google_calendar_skills", list],
  ["disabled_outlook_skills", list],
  ["imported_agent_skills", { by: "admin", read: () => [] }],
  // Nothing follows its source yet: nobody can say that something does.
  [liveSyncLabel, { by: "admin" }],
  ["feature_flags", { by: "admin", read: () => ({}) }],
  ["memory_enabled", { by: "admin", write: readFlag, read: wordOf(false) }],
  ["memory_auto_extraction", { by: "admin", write: readFlag, read: wordOf(true) }],
  ["agent_clarifying_questions_enabled", { by: "admin", write: readFlag }],
  [
    "agent_clarifying_questions_max_per_turn",
    { by: "admin", write: (sent) => Math.min(10, readNumber(1, 3)(sent)) },
  ],
  [
    "default_system_prompt",
    {
      by: "admin",
      write: (sent) =>
        typeof sent === "string"
          ? cleanText(sent, 50_000, { lines: true }) || null
          : readText(0)(sent),
    },
  ],
]);

/** Rows of the same table that have operations of their own and no label for clients. */
export const ownLabels = {
  logo: "logo",
  welcomeMessages: "welcome_messages",
  onboarding: "onboarding_complete",
} as const;
