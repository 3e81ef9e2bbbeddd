import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * Internal: imports the page behind a link and replies once it is registered as a document. The
 * import is durable: it finishes even if the caller stops waiting.
 */
export const fetchLink = defineOperation({
  name: "connectors.link.fetch",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "keyed",
  calls: ["ingest"],
  timeoutMs: 60_000,
  input: z.object({
    link: z.string().max(8192),
    embed: z.boolean(),
    /** Sent with the request, but only to the page's own origin. */
    headers: z.record(z.string().max(200), z.string().max(8_000)).default({}),
    /** Replaces the metadata derived from the page. */
    metadata: z
      .object({
        title: z.string(),
        docAuthor: z.string(),
        description: z.string(),
        docSource: z.string(),
        chunkSource: z.string(),
      })
      .partial()
      .default({}),
  }),
  output: z.object({ documentId: z.string(), title: z.string() }),
});

export const linkContracts: Contracts = {
  operations: [fetchLink],
};
