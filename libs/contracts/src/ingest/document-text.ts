import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { pageRectangle } from "../source.ts";

/** Character offset into a document's text, bounded by PostgreSQL's integer range. */
const place = z.coerce.number().int().min(0).max(2_000_000_000);

/** A range of a document's text. */
export const textRange = z.object({
  documentId: z.uuid(),
  start: place.default(0),
  end: place.optional(),
  /** Range to return rectangles and lines for. */
  markStart: place.optional(),
  markEnd: place.optional(),
});

export const documentText = z.object({
  title: z.string(),
  mime: z.string(),
  /** Encoding of the original, if it was guessed or chosen by a person. */
  encoding: z.string().optional(),
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  length: z.number().int(),
  pages: z.number().int().nullable(),
  page: z.number().int().nullable(),
  /** For source code: first and last line of the marked range, counted from 1. */
  lines: z.object({ first: z.number().int(), last: z.number().int() }).nullable().default(null),
  headingPath: z.array(z.string()),
  rectangles: z.array(pageRectangle),
  /** Size of `page` in the unit of the rectangles; null for slides, which have no rectangles. */
  pageSize: z.object({ width: z.number(), height: z.number() }).nullable().default(null),
  originalUrl: z.string().nullable(),
});

/**
 * Text around a passage for the viewer (never all of a large document at once), the rectangle map
 * for that range and a signed URL of the original.
 */
export const getDocumentText = defineOperation({
  name: "ingest.document.text",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/documents/:documentId/text",
      summary: "Get a document's text by character range, with pages and rectangles",
    },
  ],
  input: textRange.extend({ slug }),
  output: documentText,
});

/**
 * For any library document, whether or not a workspace contains it; workspace members use
 * `getDocumentText`.
 */
export const getLibraryDocumentText = defineOperation({
  name: "ingest.library.text",
  service: "ingest",
  access: { who: "manager" },
  errors: { DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  routes: [
    {
      method: "GET",
      path: "/library/documents/:documentId/text",
      summary: "Get a library document's text by character range",
    },
  ],
  input: textRange,
  output: documentText,
});

/** Internal: a library document's text from a character offset on; `next` is null at the end. */
export const readLibraryText = defineOperation({
  name: "ingest.document.library-text",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentId: z.uuid(), start: z.number().int().min(0) }),
  output: z.object({ text: z.string(), next: z.number().int().nullable() }),
});

export const documentTextContracts: Contracts = {
  operations: [getDocumentText, getLibraryDocumentText, readLibraryText],
};
