import { z } from "zod";
import { clipText } from "../clip-text.ts";
import { floatOr, integerOr, textOrNull } from "../coercion.ts";

/** Rejects absurd lengths, because services exchange whole rows. */
const textUpTo = (longest: number) =>
  textOrNull.refine((text) => text === null || text.length <= longest, {
    error: `is too long: at most ${longest.toLocaleString("en")} characters`,
  });

const providerChoice = z
  .union([z.string().max(64), z.null()])
  .transform((v) => (v === null || ["", "none"].includes(v.trim()) ? null : v.trim()));

/** Restricted to four-digit years, which every client and PostgreSQL read alike. */
function storableDate(value: string | number): string | undefined {
  const time = new Date(value);
  return Number.isNaN(time.getTime()) || time.getTime() < 0 || time.getUTCFullYear() > 9999
    ? undefined
    : time.toISOString();
}

export const workspaceUpdate = z.object({
  name: z
    .union([z.string(), z.null()])
    .transform((v) => clipText((v ?? "").trim(), 255) || "My Workspace")
    .optional(),
  openAiTemp: floatOr(null, (n) => (n >= 0 ? n : null)).optional(),
  openAiHistory: integerOr(20, (n) => Math.max(0, n)).optional(),
  openAiPrompt: textUpTo(100_000).optional(),
  similarityThreshold: floatOr(0.25, (n) => Math.min(1, Math.max(0, n))).optional(),
  topN: integerOr(4, (n) => (n >= 1 ? Math.min(n, 100) : 4)).optional(),
  chatMode: z
    .union([z.string(), z.null()])
    .transform((v) => (v === "query" ? ("query" as const) : ("chat" as const)))
    .optional(),
  /**
   * `default` also clears the model, even if one is sent. The service rejects unknown providers.
   */
  chatProvider: providerChoice.optional(),
  chatModel: textUpTo(255).optional(),
  agentProvider: providerChoice.optional(),
  agentModel: textUpTo(255).optional(),
  queryRefusalResponse: textUpTo(10_000).optional(),
  vectorSearchMode: z
    .union([z.string(), z.null()])
    .transform((v) => (v === "rerank" ? ("rerank" as const) : ("default" as const)))
    .optional(),
  /** A date in any format clients send; an invalid one is ignored. */
  lastUpdatedAt: z
    .union([z.string().max(64), z.number()])
    .transform((v) => storableDate(v))
    .optional()
    .catch(undefined),
});
