import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** wire-contract 6.2. */
export const documentJson = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  docAuthor: z.string(),
  description: z.string(),
  docSource: z.string(),
  chunkSource: z.string(),
  published: z.string(),
  wordCount: z.number().int(),
  pageContent: z.string(),
  token_count_estimate: z.number().int(),
  location: z.string(),
  isDirectUpload: z.boolean(),
});

/**
 * Internal: the documents created from one upload, without their text; a spreadsheet becomes one
 * per sheet.
 */
export const findUploaded = defineOperation({
  name: "ingest.document.uploaded",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentId: z.uuid(), offset: z.number().int().min(0).default(0) }),
  output: z.object({
    documents: z.array(documentJson.omit({ pageContent: true })),
    next: z.number().int().nullable(),
  }),
});

export const documentJsonContracts: Contracts = {
  operations: [findUploaded],
};
