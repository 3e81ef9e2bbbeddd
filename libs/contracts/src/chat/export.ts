import { z } from "zod";
import { slug } from "../coercion.ts";
import { noThread, noWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { reasoningBlock } from "./reasoning.ts";
import { feedbackReason } from "./turn.ts";

/**
 * Internal: the active path of a thread as a document. A page holds at most 1 MB; pass `next` to
 * get the following one.
 */
export const exportThread = defineOperation({
  name: "chat.thread.export",
  service: "chat",
  calls: ["ingest"],
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    threadSlug: z.string().nullable(),
    after: z.number().int().nullable().default(null),
    /**
     * Characters of the turn after `after` that the caller already has, reasoning first (it may
     * span pages).
     */
    from: z.number().int().min(0).default(0),
  }),
  output: z.object({
    name: z.string(),
    turns: z.array(
      z.object({
        id: z.number().int(),
        question: z.string(),
        answer: z.string(),
        /** The model's reasoning; parts with the same `index` belong together. */
        reasoning: z.array(reasoningBlock.extend({ index: z.number().int() })).optional(),
        sources: z.array(
          z.object({
            title: z.string(),
            page: z.number().int().nullable(),
            /** The innermost heading above the passage. */
            heading: z.string().optional(),
          }),
        ),
        sentAt: z.number().int(),
        mode: z.string(),
        /** The person's rating of the answer; true is good. */
        feedback: z.boolean().nullish(),
        feedbackReason: feedbackReason.nullish(),
      }),
    ),
    next: z.number().int().nullable(),
    /**
     * `from` of the next call, whose first turn has the same id as this page's last and continues
     * it.
     */
    nextFrom: z.number().int().default(0),
  }),
});

/** Downloads; `html` is suitable for printing and runs no scripts. */
export const exportChat = defineOperation({
  name: "gateway.chat.export",
  service: "gateway",
  access: { who: "session" },
  errors: {
    WORKSPACE_NOT_FOUND: noWorkspace,
    THREAD_NOT_FOUND: noThread,
    BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/export-chat/:type",
      summary: "Export a thread as markdown, plaintext, json or html",
    },
  ],
  input: z.object({
    type: z.string().max(20),
    workspaceSlug: slug,
    threadSlug: z.string().max(255).nullish(),
  }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const exportContracts: Contracts = {
  operations: [exportThread, exportChat],
};
