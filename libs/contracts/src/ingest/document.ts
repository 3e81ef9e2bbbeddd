import { z } from "zod";
import { slug } from "../coercion.ts";
import { byKey, inWorkspace, refusedKey } from "../error-reply.ts";
import { reasonWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";

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

/**
 * Processing state of a document. `searchable` and `embedded` are the two publications of
 * architecture.md 7.
 */
export const documentState = z.enum([
  "queued",
  "parsing",
  "parsed",
  "indexing",
  "searchable",
  "embedding",
  "embedded",
  "failed",
]);

export type DocumentState = z.infer<typeof documentState>;

/** What kind of source a document was made from, for filters and for the badge in its row. */
export const documentKind = z.enum([
  "pdf",
  "word",
  "slides",
  "sheet",
  "text",
  "markdown",
  "web",
  "mail",
  "book",
  "code",
  "data",
  "image",
  "audio",
  "video",
  "other",
]);

export type DocumentKind = z.infer<typeof documentKind>;

export const documentTag = z.string().trim().min(1).max(60);

/** wire-contract 2.4. */
export const fileItem = z.object({
  name: z.string(),
  type: z.literal("file"),
  id: z.string(),
  url: z.string(),
  title: z.string(),
  docAuthor: z.string(),
  description: z.string(),
  docSource: z.string(),
  chunkSource: z.string(),
  published: z.string(),
  wordCount: z.number().int(),
  token_count_estimate: z.number().int(),
  cached: z.boolean(),
  canWatch: z.boolean(),
  pinnedWorkspaces: z.array(z.number().int()),
  watched: z.boolean(),
});

export type FileItem = z.infer<typeof fileItem>;

/**
 * Internal: document states by id (within the workspace in scope if there is one, otherwise of
 * parsing only).
 */
export const getDocumentStates = defineOperation({
  name: "ingest.document.states",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentIds: z.array(z.string()).max(10_000) }),
  output: z.object({
    documents: z.array(
      z.object({
        documentId: z.string(),
        docpath: z.string().nullable(),
        state: documentState,
        reason: reasonWire.nullable(),
        /** Other documents created from the same upload: the remaining sheets of a spreadsheet. */
        sheets: z.array(z.object({ documentId: z.string(), docpath: z.string() })).optional(),
      }),
    ),
  }),
});

export const retryDocument = defineOperation({
  name: "ingest.document.retry",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/documents/:documentId/retry",
      summary: "Retry a failed document",
    },
  ],
  input: z.object({ slug, documentId: z.uuid() }),
  output: z.object({ success: z.boolean() }),
});

/** Internal: library documents, by the file name in their docpath or by the whole docpath. */
export const findByFileName = defineOperation({
  name: "ingest.document.by-file-name",
  service: "ingest",
  access: { who: "internal" },
  routes: [
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-document.get",
      method: "GET",
      path: "/v1/document/:docName",
      summary: "Get a document by file name",
      input: z
        .object({ docName: z.string().max(1024) })
        .transform(({ docName }) => ({ name: docName })),
      output: z.object({ document: fileItem }),
      errors: {
        ...refusedKey,
        DOCUMENT_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" },
      },
    },
  ],
  idempotency: "natural",
  input: z.object({ name: z.string().max(1024) }),
  output: z.object({ document: fileItem }),
});

export const documentContracts: Contracts = {
  operations: [getDocumentStates, retryDocument, findByFileName, findUploaded],
};
