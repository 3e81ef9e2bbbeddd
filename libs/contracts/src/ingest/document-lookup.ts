import { z } from "zod";
import { defineOperation, type Contracts } from "../operation.ts";
import { retrievalFilter } from "./search-trace.ts";

const place = z.number().int().min(0).max(2_000_000_000);
// PostgreSQL's texts have no NUL.
const words = z
  .string()
  .max(300)
  .regex(/^[^\0]*$/);

/** Internal: documents of the workspace that the caller may see, in any state, newest first. */
export const lookUpDocuments = defineOperation({
  name: "ingest.workspace-document.look-up",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    /** The whole title, ignoring case. */
    title: words.optional(),
    /** Words that must all occur in the title, file name, author or source. */
    search: words.default(""),
    filter: retrievalFilter.default({}),
    offset: z.number().int().min(0).max(2_000_000_000).default(0),
    limit: z.number().int().min(1).max(50),
  }),
  output: z.object({
    documents: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        docpath: z.string(),
        folder: z.string(),
        mime: z.string(),
        pages: z.number().int().nullable(),
        wordCount: z.number().int(),
        /** Of the text, in UTF-16 units; 0 until it has been read. */
        length: z.number().int(),
        addedAt: z.string(),
        url: z.string(),
        docAuthor: z.string(),
        description: z.string(),
        docSource: z.string(),
        chunkSource: z.string(),
        published: z.string(),
      }),
    ),
    total: z.number().int(),
  }),
});

export const documentLookupContracts: Contracts = {
  operations: [lookUpDocuments],
};
