import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { pageRectangle } from "../source.ts";
import { documentAccess } from "./document-access.ts";

/** Encodings that people can choose, by their usual names; common ones first. */
export const documentEncodings = [
  "UTF-8",
  "Windows-1252",
  "Windows-1250",
  "Windows-1251",
  "Windows-1253",
  "Windows-1254",
  "Windows-1255",
  "Windows-1256",
  "Windows-1257",
  "Windows-1258",
  "Windows-874",
  "Shift_JIS",
  "EUC-JP",
  "GBK",
  "Big5",
  "EUC-KR",
  "UTF-16LE",
  "UTF-16BE",
  "ISO-8859-2",
  "ISO-8859-5",
  "ISO-8859-7",
  "ISO-8859-15",
  "KOI8-R",
  "KOI8-U",
  "CP437",
  "CP850",
  "CP852",
  "CP866",
  "Mac OS Roman",
  "Mac OS Cyrillic",
] as const;

/** Carrel-specific: the document keeps its id and its workspaces. */
export const changeEncoding = defineOperation({
  name: "ingest.document.change-encoding",
  service: "ingest",
  access: { who: "manager" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/library/documents/:documentId/encoding",
      summary: "Read a document again in another encoding",
    },
  ],
  input: z.object({ documentId: z.uuid(), encoding: z.enum(documentEncodings) }),
  output: z.object({ success: z.boolean() }),
});

/** Signed URL of the original, valid for 60 seconds; null if no original was kept. */
export const signOriginal = defineOperation({
  name: "ingest.library.original",
  service: "ingest",
  access: { who: "manager" },
  errors: { DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  routes: [
    {
      method: "GET",
      path: "/library/documents/:documentId/original",
      summary: "Get a short-lived URL of a document's original",
    },
  ],
  input: z.object({ documentId: z.uuid() }),
  output: z.object({ url: z.string().nullable() }),
});

export const downloadOriginal = defineOperation({
  name: "gateway.document.original",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/blob/:token",
      summary: "Download an original by its signed, short-lived URL",
    },
  ],
  input: z.object({ token: z.string().max(2048) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

/** TIFF only: browsers show pictures in other formats themselves. */
export const showOriginalPage = defineOperation({
  name: "gateway.document.page",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/blob/:token/pages/:page",
      summary: "Get a page of a scan (TIFF) as WebP by the original's signed URL",
    },
  ],
  input: z.object({
    token: z.string().max(2048),
    page: z.coerce.number().int().min(1).max(100_000),
  }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

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
        asOf: z.string().optional(),
        revision: z.number().int().optional(),
        text: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
});

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
  /**
   * Where its source shows it, a video at the time of the marked range; absent for uploads and what
   * isn't on the web.
   */
  sourceUrl: z.string().optional(),
  /** When the document's source had this text; absent for uploads. */
  asOf: z.string().optional(),
  /** Number of this content: an answer whose source has a lower one (absent: 1) cites an earlier one. */
  revision: z.number().int().optional(),
  /** Who may see it. */
  access: documentAccess.optional(),
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
  operations: [
    getDocumentText,
    getLibraryDocumentText,
    readLibraryText,
    listContextTexts,
    signOriginal,
    downloadOriginal,
    showOriginalPage,
    changeEncoding,
  ],
};
