import { z } from "zod";
import { pageIndex } from "../coercion.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * The raw row of wire-contract 2.5; `response` is JSON text, with `feedbackReason` if the person gave
 * one.
 */
export const chatRecordWire = z.object({
  id: z.number().int(),
  workspaceId: z.number().int(),
  prompt: z.string(),
  response: z.string(),
  include: z.boolean(),
  user_id: z.number().int().nullable(),
  thread_id: z.number().int().nullable(),
  api_session_id: z.string().nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
  feedbackScore: z.boolean().nullable(),
});

/** Internal: recorded chats of the whole instance, newest first. */
export const listChatRecords = defineOperation({
  name: "chat.turn.records",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ offset: pageIndex, limit: z.number().int().min(1).max(100) }),
  output: z.object({ chats: z.array(chatRecordWire), total: z.number().int() }),
});

export const chatRecordContracts: Contracts = {
  operations: [listChatRecords],
};
