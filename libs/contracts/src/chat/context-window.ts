import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Internal: part of the view of a workspace. */
export const getContextWindow = defineOperation({
  name: "chat.context.get",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["ingest", "workspace"],
  timeoutMs: 5_000,
  input: z.object({
    /** Thread whose files are counted; absent or null: the default thread. */
    threadId: z.number().int().nullish(),
  }),
  output: z.object({
    contextWindow: z.number().int().nullable(),
    currentContextTokenCount: z.number().int(),
  }),
});

export const contextWindowContracts: Contracts = {
  operations: [getContextWindow],
};
