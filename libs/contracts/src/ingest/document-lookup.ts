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
        /** Length of the text in UTF-16 units; 0 until it has been read. */
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

/**
 * Internal: a range of a document's text, or its beginning if that is too much for one reply, with
 * where its pages and headings start: those in it, and the ones that apply at its start, which may
 * start before. Documents of the workspace, and files that the caller dropped on one of its chats.
 */
export const readDocumentPart = defineOperation({
  name: "ingest.workspace-document.part",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ documentId: z.uuid(), start: place, end: place }),
  output: z.object({
    text: z.string(),
    start: z.number().int(),
    end: z.number().int(),
    /** Empty if the document has none. */
    pages: z.array(z.object({ page: z.number().int(), start: z.number().int() })),
    /** `path` applies from `start` on. */
    headings: z.array(z.object({ path: z.array(z.string()), start: z.number().int() })),
  }),
});

/** Internal: where a page of such a document starts; null if it has no such page. */
export const findPageStart = defineOperation({
  name: "ingest.workspace-document.page-start",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ documentId: z.uuid(), page: place }),
  output: z.object({ start: z.number().int().nullable() }),
});

export const documentLookupContracts: Contracts = {
  operations: [lookUpDocuments, readDocumentPart, findPageStart],
};
