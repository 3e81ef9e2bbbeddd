import {
  allowedModelChanges,
  allowedModels,
  allowedModelsLabel,
  eventRetentionLabel,
  liveSyncLabel,
  longestEventRetention,
  memberRightLabels,
  mostSchedules,
  providerChoiceKeys,
  scheduleLimitLabel,
  schedulesLabel,
  sharingLabel,
  sharingLimits,
  threadModelsLabel,
  threadTitlesLabel,
} from "@carrel/contracts";
import { embeddingProviders, longestEmbedderInput } from "@carrel/providers";
import { agentPreferenceDefinitions } from "./agent-preference.ts";
import {
  type EffectiveSettings,
  type PreferenceDefinition,
  cleanText,
  readFlag,
  readFooter,
  readNumber,
  readText,
  readWebAddress,
} from "./preference-reader.ts";

const orNull = (kept: unknown): unknown => kept ?? null;
const wordOf =
  (fallback: boolean) =>
  (kept: unknown): string =>
    String(kept ?? fallback);
const text = (longest: number) => ({ write: readText(longest), read: orNull });

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
 * The labels this instance supports (wire-contract 7). Unlike the wire's product, Carrel doesn't accept
 * `logo_filename` (a path from a client), `telemetry_id` (reports have a separate id) or
 * `hub_api_key`.
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
  ...agentPreferenceDefinitions,
  ["imported_agent_skills", { by: "admin", read: () => [] }],
  // Read as one of the feature flags.
  [liveSyncLabel, { by: "admin", write: (sent) => sent === true || sent === "enabled" }],
  ["feature_flags", { by: "admin", read: () => ({}) }],
  ["memory_enabled", { by: "admin", write: readFlag, read: wordOf(false) }],
  ["memory_auto_extraction", { by: "admin", write: readFlag, read: wordOf(true) }],
  // Read from /setup-complete.
  [threadTitlesLabel, { by: "admin", write: readFlag }],
  [threadModelsLabel, { by: "admin", write: readFlag }],
  [schedulesLabel, { by: "admin", write: readFlag, read: wordOf(true) }],
  [
    scheduleLimitLabel,
    {
      by: "admin",
      write: (sent) => {
        if (sent === null) return null;
        const limit = readNumber(0, -1)(sent);
        return limit < 0 ? undefined : Math.min(mostSchedules, limit);
      },
      read: (kept) => (kept === undefined ? null : String(kept)),
    },
  ],
  [memberRightLabels.createWorkspaces, { by: "admin", write: readFlag }],
  [memberRightLabels.uploadDocuments, { by: "admin", write: readFlag }],
  // Read with the providers; sent as changes.
  [
    allowedModelsLabel,
    {
      by: "admin",
      write: (sent) => allowedModelChanges.safeParse(sent).data,
      merge: (kept, sent) => {
        if (sent == null) return sent;
        const limits = { ...allowedModels.parse(kept ?? {}), ...allowedModelChanges.parse(sent) };
        return Object.fromEntries(Object.entries(limits).filter(([, models]) => models !== null));
      },
    },
  ],
  [sharingLabel, { by: "admin", write: (sent) => sharingLimits.find((limit) => limit === sent) }],
  // Read with the state of the event log. 0 keeps entries, as null does.
  [
    eventRetentionLabel,
    {
      by: "admin",
      write: (sent) => Math.min(longestEventRetention, readNumber(1, 0)(sent)) || null,
    },
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
