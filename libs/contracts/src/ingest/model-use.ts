import { z } from "zod";
import { defineEvent, type Contracts } from "../operation.ts";

/**
 * What one workspace and one person used a model for within a few seconds; null where nobody in
 * particular asked for it.
 */
export const ingestModelUsed = defineEvent({
  name: "ingest.model-used",
  service: "ingest",
  consumers: ["chat"],
  payload: z.object({
    id: z.uuid(),
    purpose: z.enum(["embedding", "transcription", "reranking"]),
    workspaceId: z.number().int().nullable(),
    userId: z.number().int().nullable(),
    /** The ID of a developer API key. */
    keyId: z.number().int().nullable(),
    /** The widget whose visitor asked. */
    widgetId: z.number().int().nullish(),
    provider: z.string(),
    model: z.string(),
    state: z.enum(["done", "failed"]),
    inputTokens: z.number().int(),
    cachedTokens: z.number().int(),
    outputTokens: z.number().int(),
    reasoningTokens: z.number().int(),
    isEstimated: z.boolean(),
    audioMs: z.number().int(),
    searches: z.number().int(),
    milliseconds: z.number().int(),
    /** Calls already admitted by budgets (`admitModelCall`); their reservations end. */
    callIds: z.array(z.uuid()).optional(),
  }),
});

export const modelUseContracts: Contracts = { operations: [], events: [ingestModelUsed] };
