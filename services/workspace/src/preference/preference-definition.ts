import {
  allowedModelChanges,
  allowedModelsLabel,
  clipText,
  eventRetentionLabel,
  liveSyncLabel,
  longestEventRetention,
  memberRightLabels,
  providerChoiceKeys,
  sharingLabel,
  sharingLimits,
  threadModelsLabel,
  threadTitlesLabel,
} from "@carrel/contracts";
import { embeddingProviders, longestEmbedderInput } from "@carrel/providers";

/*
 * Converts preferences from clients to stored values (wire-contract 7). undefined leaves the
 * current value, null deletes it.
 */

/**
 * Trims the text, removes control characters, replaces lone surrogates and truncates the result to
 * `longest` UTF-16 code units at a whole character; `lines` keeps line breaks and tabs.
 */
export function cleanText(
  text: string,
  longest: number,
  options: { lines?: boolean } = {},
): string {
  const printable = text.replace(options.lines === true ? /[^\P{Cc}\n\r\t]/gu : /\p{Cc}/gu, "");
  return clipText(printable.trim(), longest);
}

export const readText =
  (longest: number) =>
  (sent: unknown): string | null | undefined => {
    if (sent === null) return null;
    if (typeof sent !== "string" && typeof sent !== "number") return undefined;
    return cleanText(String(sent), longest) || null;
  };

/** An integer of at least `least`, otherwise `fallback`. */
export const readNumber =
  (least: number, fallback: number) =>
  (sent: unknown): number => {
    const value = Math.trunc(
      typeof sent === "number" || (typeof sent === "string" && sent.trim() !== "")
        ? Number(sent)
        : Number.NaN,
    );
    return value >= least ? Math.min(value, 2_147_483_647) : fallback;
  };

export const readFlag = (sent: unknown): boolean =>
  sent === true ||
  sent === 1 ||
  (typeof sent === "string" && ["true", "1", "enabled"].includes(sent.trim().toLowerCase()));

/** Names as a comma-separated string or an array. */
export function readList(sent: unknown): string[] | undefined {
  const names =
    typeof sent === "string"
      ? sent.split(",")
      : Array.isArray(sent)
        ? sent.filter((name): name is string => typeof name === "string")
        : sent === null
          ? []
          : undefined;
  return (
    names && [...new Set(names.map((name) => cleanText(name, 128)).filter(Boolean))].slice(0, 500)
  );
}

const longestAddress = 2_048;
function addressOf(sent: unknown, protocols: readonly string[]): string | null {
  if (typeof sent !== "string") return null;
  const address = sent.trim();
  return address.length <= longestAddress &&
    URL.canParse(address) &&
    protocols.includes(new URL(address).protocol)
    ? cleanText(address, longestAddress)
    : null;
}

/** The http(s) URL of a page or picture; null for anything else. */
export const readWebAddress = (sent: unknown): string | null =>
  addressOf(sent, ["http:", "https:"]);

interface FooterItem {
  icon: string;
  url: string;
}
/**
 * Parses footer items from JSON text. Items without a permitted URL are dropped, then the first
 * three are kept.
 */
export function readFooter(sent: unknown): FooterItem[] {
  return parseList(sent)
    .flatMap((item): FooterItem[] => {
      const { icon, url } = (item ?? {}) as { icon?: unknown; url?: unknown };
      const address = addressOf(url, ["http:", "https:", "mailto:"]);
      return address === null
        ? []
        : [{ icon: typeof icon === "string" ? cleanText(icon, 64) : "", url: address }];
    })
    .slice(0, 3);
}

function parseList(sent: unknown): unknown[] {
  let value = sent;
  if (typeof sent === "string") {
    try {
      value = JSON.parse(sent);
    } catch {
      // On this wire, invalid JSON means an empty footer.
      return [];
    }
  }
  return Array.isArray(value) ? value : [];
}

/** The effective settings, which provide the defaults of some labels. */
interface EffectiveSettings {
  values: ReadonlyMap<string, string>;
}

/** One label in the table of wire-contract 7. */
export interface PreferenceDefinition {
  /** Managers see and set only five labels. */
  by: "manager" | "admin";
  /**
   * Converts a client's value to what is stored: null deletes the preference, undefined leaves it
   * unchanged. Read-only if absent.
   */
  write?: (sent: unknown) => unknown;
  /** Converts the stored value (undefined if unset) to the wire format. Hidden if absent. */
  read?: (kept: unknown, settings: EffectiveSettings) => unknown;
  /** Pages cache this value. */
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
const lengthKey = "EmbeddingModelMaxChunkLength";
const embedderOf = ({ values }: EffectiveSettings): (typeof embeddingProviders)[number] =>
  embeddingProviders.find(({ id }) => id === values.get(providerChoiceKeys.embedding)) ??
  embeddingProviders[0]!;

/** The chosen embedder's maximum chunk length; a setting left over from another doesn't count. */
const embedderLength = (settings: EffectiveSettings): number =>
  longestEmbedderInput(embedderOf(settings).id, Object.fromEntries(settings.values));

/** Like `embedderLength`, but null unless someone has set it. */
const chosenLength = (settings: EffectiveSettings): number | null =>
  settings.values.has(lengthKey) && embedderOf(settings).fields.some(({ key }) => key === lengthKey)
    ? embedderLength(settings)
    : null;

/**
 * The labels this instance supports. Unlike the wire's product, Carrel doesn't accept
 * `logo_filename` (a path from a client), `telemetry_id` (reports have a separate id) or labels
 * containing secrets of agent skills and the hub.
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
      // Saved numbers are text on this wire.
      read: (kept, settings) => (kept === undefined ? chosenLength(settings) : String(kept)),
    },
  ],
  [
    "text_splitter_chunk_overlap",
    {
      by: "admin",
      write: readNumber(0, 20),
      read: (kept) => (kept === undefined ? null : String(kept)),
    },
  ],
  ["max_embed_chunk_size", { by: "admin", read: (_kept, settings) => embedderLength(settings) }],
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
  // Read as one of the feature flags.
  [liveSyncLabel, { by: "admin", write: (sent) => sent === true || sent === "enabled" }],
  ["feature_flags", { by: "admin", read: () => ({}) }],
  ["memory_enabled", { by: "admin", write: readFlag, read: wordOf(false) }],
  ["memory_auto_extraction", { by: "admin", write: readFlag, read: wordOf(true) }],
  // Read from /setup-complete.
  [threadTitlesLabel, { by: "admin", write: readFlag }],
  [threadModelsLabel, { by: "admin", write: readFlag }],
  [memberRightLabels.createWorkspaces, { by: "admin", write: readFlag }],
  [memberRightLabels.uploadDocuments, { by: "admin", write: readFlag }],
  // Read with the providers; the store applies the changes to what is kept.
  [allowedModelsLabel, { by: "admin", write: (sent) => allowedModelChanges.safeParse(sent).data }],
  [sharingLabel, { by: "admin", write: (sent) => sharingLimits.find((limit) => limit === sent) }],
  // Read with the state of the event log. 0 keeps entries, as null does.
  [
    eventRetentionLabel,
    {
      by: "admin",
      write: (sent) => Math.min(longestEventRetention, readNumber(1, 0)(sent)) || null,
    },
  ],
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

/** Rows in the same table with dedicated operations instead of a client label. */
export const ownLabels = {
  logo: "logo",
  lightLogo: "logo_light",
  welcomeMessages: "welcome_messages",
  onboarding: "onboarding_complete",
  telemetry: "telemetry_report",
} as const;
