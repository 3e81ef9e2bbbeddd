import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/**
 * Internal: full texts for a prompt: pinned documents in pinning order, then the caller's files of
 * the thread. `maximumCharacters` applies to all replies together; the text that exceeds it is cut.
 * A reply holds at most 1 MB: pass `next` as `after` of the next call, with the same
 * `maximumCharacters`. A text that doesn't fit into one reply continues in the first entry of the
 * next, under the same `documentId`.
 */
export const listContextTexts = defineOperation({
  name: "ingest.context.list",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    threadId: z.number().int().nullable(),
    maximumCharacters: z.number().int().min(0).max(10_000_000),
    after: z.string().nullable().default(null),
  }),
  output: z.object({
    texts: z.array(
      z.object({
        kind: z.enum(["pinned", "file"]),
        documentId: z.string(),
        title: z.string(),
        published: z.string(),
        mime: z.string(),
        url: z.string(),
        docAuthor: z.string(),
        description: z.string(),
        docSource: z.string(),
        chunkSource: z.string(),
        wordCount: z.number().int(),
        token_count_estimate: z.number().int(),
        text: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
});

export const contextTextContracts: Contracts = {
  operations: [listContextTexts],
};
