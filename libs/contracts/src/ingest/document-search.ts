import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

const place = z.number().int().min(0);

/** A place in a document's text that contains the words. */
export const documentHit = z.object({
  documentId: z.uuid(),
  title: z.string(),
  mime: z.string(),
  /** One of the workspaces that contain the document and that the caller may use. */
  workspace: z.object({ slug: z.string(), name: z.string() }),
  page: z.number().int().nullable(),
  headingPath: z.array(z.string()),
  /** The text from `start` to `end`, in UTF-16 units of the document. */
  excerpt: z.string(),
  start: place,
  end: place,
  /** The matching words in it, by their offsets in the document, in order and not overlapping. */
  matches: z.array(z.object({ start: place, end: place })),
});
export type DocumentHit = z.infer<typeof documentHit>;

/**
 * Finds words in the documents of every workspace the caller may use, best first. Words match by
 * prefix, ignoring case and accents. Queries under three characters find nothing.
 */
export const searchDocumentTexts = defineOperation({
  name: "ingest.document.search-texts",
  service: "ingest",
  access: { who: "session" },
  idempotency: "natural",
  calls: ["workspace"],
  routes: [
    {
      method: "POST",
      path: "/documents/search",
      summary: "Find words in the documents of all workspaces, with their places",
    },
  ],
  input: z.object({
    searchTerm: z.string().max(200).default(""),
    /** The workspace to name for documents that several contain. */
    preferred: z.string().max(255).optional(),
    limit: z.number().int().min(1).max(50).default(20),
  }),
  output: z.object({ hits: z.array(documentHit) }),
});

export const documentSearchContracts: Contracts = { operations: [searchDocumentTexts] };
