import { z } from "zod";
import { day, rowId, timeZone } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/* Carrel-specific: what models were used for and what it cost (docs/decisions/usage.md). */

export const usageGroupings = ["day", "workspace", "user", "provider", "model", "key"] as const;
export type UsageGrouping = (typeof usageGroupings)[number];

/** Maximum number of groups returned, largest first; days are always complete. */
export const maxUsageGroups = 500;

/** Days include both ends and begin at midnight in `timeZone`. */
const period = {
  from: day,
  to: day,
  timeZone,
};
const ownFilter = {
  ...period,
  workspaceId: rowId.optional(),
  provider: z.string().max(100).optional(),
  model: z.string().max(200).optional(),
};
const filter = {
  ...ownFilter,
  userId: rowId.optional(),
  keyId: rowId.optional(),
  /** Calls for visitors of a chat widget. */
  widgetId: rowId.optional(),
};
export const usageFilter = z.object(filter);
export type UsageFilter = z.infer<typeof usageFilter>;

const media = {
  /** Characters read aloud. */
  characters: z.number().int(),
  /** Seconds of audio dictated or transcribed. */
  audioSeconds: z.number(),
  /** Searches whose results a model reranked. */
  searches: z.number().int(),
};
const sums = {
  answers: z.number().int(),
  failed: z.number().int(),
  /** Includes cached tokens. */
  inputTokens: z.number().int(),
  cachedTokens: z.number().int(),
  /** Includes reasoning. */
  outputTokens: z.number().int(),
  reasoningTokens: z.number().int(),
  ...media,
  /** In dollars, excluding calls at an unknown price; null if there are no other calls. */
  cost: z.number().nullable(),
  /** Calls of models whose price isn't known. */
  unpriced: z.number().int(),
};
const report = z.object({
  totals: z.object({ ...sums, medianFirstTokenMs: z.number().int().nullable() }),
  groups: z.array(
    z.object({
      ...sums,
      /** Date, provider, model, or id as text; null: no workspace, no user or no key. */
      key: z.string().nullable(),
      /** Name of the workspace or user; null if it was deleted. */
      name: z.string().nullable(),
    }),
  ),
});
export type UsageReport = z.infer<typeof report>;

/** Usage of everyone, like the chat log; API keys and widgets are for admins only. */
export const getUsage = defineOperation({
  name: "chat.usage.get",
  service: "chat",
  access: { who: "manager" },
  calls: ["auth", "workspace"],
  routes: [
    {
      method: "GET",
      path: "/usage",
      summary: "Get what models used and cost, by day, workspace, user, provider, model or API key",
    },
  ],
  input: z.object({ ...filter, groupBy: z.enum(usageGroupings).default("day") }),
  output: report,
});

export const getOwnUsage = defineOperation({
  name: "chat.usage.own",
  service: "chat",
  access: { who: "session" },
  calls: ["workspace"],
  routes: [{ method: "GET", path: "/usage/own", summary: "Get what your questions used and cost" }],
  input: z.object({
    ...ownFilter,
    groupBy: z.enum(["day", "workspace", "provider", "model"]).default("day"),
  }),
  output: report,
});

export const usagePurposes = [
  "answer",
  "title",
  "memory",
  "embedding",
  "speech",
  "dictation",
  "transcription",
  "reranking",
] as const;
export type UsagePurpose = (typeof usagePurposes)[number];

const usageRow = z.object({
  /** ISO 8601. */
  usedAt: z.string(),
  purpose: z.enum(usagePurposes),
  state: z.enum(["done", "failed", "cancelled"]),
  /** null: dictation, and texts embedded through the API. */
  workspaceId: z.number().int().nullable(),
  userId: z.number().int().nullable(),
  keyId: z.number().int().nullable(),
  provider: z.string(),
  model: z.string(),
  inputTokens: z.number().int(),
  cachedTokens: z.number().int(),
  outputTokens: z.number().int(),
  reasoningTokens: z.number().int(),
  ...media,
  isEstimated: z.boolean(),
  firstTokenMs: z.number().int().nullable(),
  durationMs: z.number().int(),
  /** In dollars; null where the price isn't known. */
  cost: z.number().nullable(),
});
export type UsageRow = z.infer<typeof usageRow>;

/**
 * Internal: single calls in chronological order, in pages; pass `next` as `after` of the next page.
 */
export const listUsage = defineOperation({
  name: "chat.usage.list",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    ...filter,
    after: z.object({ usedAt: z.string().max(40), id: z.string().max(20) }).nullable(),
  }),
  output: z.object({
    rows: z.array(usageRow),
    next: z.object({ usedAt: z.string(), id: z.string() }).nullable(),
  }),
});

export const exportUsage = defineOperation({
  name: "gateway.usage.export",
  service: "gateway",
  access: { who: "manager" },
  mount: "custom",
  routes: [
    { method: "GET", path: "/usage/export", summary: "Download each call of a model as CSV" },
  ],
  input: usageFilter,
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const usageContracts: Contracts = {
  operations: [getUsage, getOwnUsage, listUsage, exportUsage],
};
