import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

export const fetchLink = defineOperation({
  name: "connectors.link.fetch",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "none",
  calls: ["ingest"],
  timeoutMs: 60_000,
  input: z.object({
    link: z.string().max(8192),
    embed: z.boolean(),
    /** Sent along, to the page's own origin only. */ headers: z
      .record(z.string().max(200), z.string().max(8_000))
      .default({}),
    /** In place of what a link is otherwise described with. */ metadata: z
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
