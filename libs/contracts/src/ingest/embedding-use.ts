import { z } from "zod";
import { defineEvent } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Tokens that embedders counted for a workspace within a few seconds. */
export const embeddingUsed = defineEvent({
  name: "embedding.used",
  service: "ingest",
  consumers: ["chat"],
  payload: z.object({
    id: z.uuid(),
    workspaceId: z.number().int(),
    provider: z.string(),
    model: z.string(),
    tokens: z.number().int(),
    milliseconds: z.number().int(),
  }),
});

export const embeddingUseContracts: Contracts = { operations: [], events: [embeddingUsed] };
