import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Internal: context window of a thread's model (for its files), or of the workspace's model (for
 * the view of a workspace).
 */
export const getContextWindow = defineOperation({
  name: "chat.context.get",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({
    /** Absent or null: the workspace's model. */
    threadId: z.number().int().nullish(),
  }),
  output: z.object({ contextWindow: z.number().int().nullable() }),
});

/** Internal: tokens of the files attached to a thread; part of the view of a workspace. */
export const countContextTokens = defineOperation({
  name: "chat.context.count-tokens",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["ingest"],
  input: z.object({
    /** Absent or null: the caller's default thread. */
    threadId: z.number().int().nullish(),
  }),
  output: z.object({ currentContextTokenCount: z.number().int() }),
});

export const contextWindowContracts: Contracts = {
  operations: [getContextWindow, countContextTokens],
};
