import { z } from "zod";
import { noWorkspace } from "./chat.ts";
import { listOf, slug, yesOrNo } from "./coercion.ts";
import { retrievalFilter, searchTrace } from "./inspection.ts";
import { defineEvent, defineJob, defineOperation, type ErrorReply } from "./operation.ts";
import { pageRectangle, passage } from "./source.ts";
import { workspaceDocumentWire } from "./workspace.ts";

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
 * Where a document stands. `searchable` and `embedded` are the two publications of architecture.md
 * 7.
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

/** What a document came from, for filters and for the badge of a row. */
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

/** Ours: a document of a workspace with its state, for the document panel. */
export const workspaceDocumentStatus = z.object({
  documentId: z.string(),
  docpath: z.string().nullable(),
  title: z.string(),
  state: documentState,
  reason: z.string().nullable(),
  /** 0 to 1 within the state; chunks done and due while indexing or embedding. */
  progress: z.number(),
  chunksDone: z.number().int(),
  chunksTotal: z.number().int(),
  bytes: z.number().int(),
  pages: z.number().int().nullable(),
  wordCount: z.number().int(),
  mime: z.string(),
  addedAt: z.string(),
  hasOriginal: z.boolean(),
  /** Given to the model in full. */
  pinned: z.boolean().optional(),
  /** Synced with its source. */ watched: z.boolean().optional(),
  kind: documentKind.optional(),
  folder: z.string().optional(),
  tags: z.array(z.string()).optional(),
});
export type WorkspaceDocumentStatus = z.infer<typeof workspaceDocumentStatus>;

/**
 * What the gateway's stream of progress carries: wire-contract 6.5 for existing clients,
 * `document_state` for ours.
 */
export type ProgressFrame =
  | { type: "document_state"; document: WorkspaceDocumentStatus }
  | { type: "document_removed"; documentId: string; docpath: string | null }
  | {
      type: "batch_starting";
      workspaceSlug: string;
      userId: number | null;
      filenames: string[];
      totalDocs: number;
    }
  | {
      type: "doc_starting" | "doc_complete";
      workspaceSlug: string;
      userId: number | null;
      filename: string;
      docIndex: number;
      totalDocs: number;
    }
  | {
      type: "doc_failed";
      workspaceSlug: string;
      userId: number | null;
      filename: string;
      docIndex: number;
      totalDocs: number;
      error: string;
    }
  | { type: "file_removed"; workspaceSlug: string; filename: string }
  | {
      type: "chunk_progress";
      workspaceSlug: string;
      userId: number | null;
      filename: string;
      chunksProcessed: number;
      totalChunks: number;
    }
  | {
      type: "all_complete";
      workspaceSlug: string;
      userId: number | null;
      totalDocs: number;
      embedded: number;
      failed: number;
    };

const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };
/** wire-contract 3.3. */
const refusedUpload: ErrorReply = {
  status: 400,
  kind: "json",
  body: { success: false, error: "$message" },
};
/** wire-contract 2.4: a page of a folder that was asked for wrongly. */
export const refusedFolder = {
  status: 400,
  kind: "json",
  body: { folder: "", documents: [], totalCount: 0, hasMore: false, code: 400, error: "$message" },
} satisfies ErrorReply;
/** An empty name is none on this wire. */
export const askedFolder = z
  .string()
  .max(808)
  .optional()
  .transform((name) => name || undefined);
/** wire-contract 2.4: nobody can say what could be read. */
const processorOffline = { status: 404, kind: "text", text: "Not Found" } satisfies ErrorReply;
export const noTypes = {
  TIMEOUT: processorOffline,
  UNAVAILABLE: processorOffline,
  SERVICE_LOST: processorOffline,
};
const uploadReply = z.object({ success: z.boolean(), error: z.string().nullable() });

/*
 * Routes whose bodies are multipart or whose answer waits for jobs: the controllers stream and
 * wait, ingest does the rest.
 */
export const uploadDocument = defineOperation({
  name: "gateway.document.upload",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  http: {
    method: "POST",
    path: "/workspace/:slug/upload",
    mount: "custom",
    summary:
      "Upload a file into the library (multipart field file); with the header `Prefer: respond-async` 202 as soon as it is stored and registered",
  },
  input: z.object({ slug }),
  output: uploadReply,
});
export const uploadAndEmbed = defineOperation({
  name: "gateway.document.upload-and-embed",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  http: {
    method: "POST",
    path: "/workspace/:slug/upload-and-embed",
    mount: "custom",
    summary:
      "Upload a file and add it to the workspace (multipart field file); with the header `Prefer: respond-async` 202 as soon as it is stored and registered",
  },
  input: z.object({ slug }),
  output: uploadReply.extend({
    document: z.object({ id: z.string(), location: z.string() }).nullable(),
  }),
});
export const uploadLink = defineOperation({
  name: "gateway.document.upload-link",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: { ...inWorkspace, BAD_INPUT: refusedUpload },
  http: {
    method: "POST",
    path: "/workspace/:slug/upload-link",
    mount: "custom",
    summary: "Fetch a public web page into the library",
  },
  input: z.object({
    slug,
    link: z.string().max(8192),
    /** Ours: also add it to the workspace. */ embed: z.boolean().default(false),
  }),
  output: uploadReply.extend({
    document: z.object({ id: z.string(), location: z.string() }).nullable().optional(),
  }),
});
export const updateEmbeddings = defineOperation({
  name: "gateway.document.update-embeddings",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  http: {
    method: "POST",
    path: "/workspace/:slug/update-embeddings",
    mount: "custom",
    bodyLimit: 32 * 1024 * 1024,
    summary: "Add documents of the library to the workspace, or take them out",
  },
  input: z.object({
    slug,
    adds: z.array(z.string().max(1024)).max(100_000).default([]),
    deletes: z.array(z.string().max(1024)).max(100_000).default([]),
  }),
  output: z.object({ workspace: z.unknown(), message: z.string().nullable() }),
});
export const watchProgress = defineOperation({
  name: "gateway.document.progress",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/embed-progress",
    mount: "custom",
    summary: "Progress of parsing and embedding as an event stream",
  },
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});
export const downloadOriginal = defineOperation({
  name: "gateway.document.original",
  service: "gateway",
  access: { who: "public" },
  http: {
    method: "GET",
    path: "/blob/:token",
    mount: "custom",
    summary: "The original file behind a signed, short-lived address",
  },
  input: z.object({ token: z.string().max(2048) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

/**
 * Internal: a blob became a document. With a workspace in scope and `embed`, it is added there too.
 */
export const registerDocument = defineOperation({
  name: "ingest.document.register",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "keyed",
  calls: ["workspace"],
  input: z.object({
    /** Content address of the original in the blob store. */
    blobKey: z.string(),
    sha256: z.string(),
    bytes: z.number().int(),
    filename: z.string().max(4096),
    mime: z.string().nullable(),
    /** A path of names joined by `/`. */ folder: z.string().max(4096).optional(),
    embed: z.boolean(),
    metadata: z
      .object({
        title: z.string(),
        docAuthor: z.string(),
        description: z.string(),
        docSource: z.string(),
        chunkSource: z.string(),
        url: z.string(),
        published: z.string(),
      })
      .partial()
      .default({}),
    /** In front of the file's name in its docpath. */ prefix: z.literal("raw-").optional(),
  }),
  output: z.object({ documentId: z.string(), title: z.string(), docpath: z.string().optional() }),
});
/**
 * Internal: states of documents, by id (in the workspace in scope when there is one, else of
 * parsing alone).
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
        reason: z.string().nullable(),
        /** The documents that its upload became besides it: the further sheets of a spreadsheet. */
        sheets: z.array(z.object({ documentId: z.string(), docpath: z.string() })).optional(),
      }),
    ),
  }),
});
/**
 * Internal: starts adding and takes out at once; answers the ids to wait for and what could not be.
 */
export const changeWorkspaceDocuments = defineOperation({
  name: "ingest.workspace-document.change",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({ adds: z.array(z.string()), deletes: z.array(z.string()) }),
  output: z.object({
    added: z.array(z.object({ documentId: z.string(), docpath: z.string() })),
    errors: z.array(z.string()),
  }),
});
/** Internal: part of the view of a workspace (documents that are at least searchable). */
export const listWorkspaceDocuments = defineOperation({
  name: "ingest.workspace-document.list",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  // A reply holds at most 1 MB: pages of 1,000 by id, until `next` is null.
  input: z.object({
    after: z.number().int().nullable().default(null),
    /** Only these. */ documentIds: z.array(z.uuid()).max(1_000).optional(),
  }),
  output: z.object({
    documents: z.array(workspaceDocumentWire),
    next: z.number().int().nullable(),
  }),
});
export const removeAndUnembed = defineOperation({
  name: "ingest.document.remove",
  service: "ingest",
  access: { who: "manager", workspace: true },
  idempotency: "natural",
  errors: {
    WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
    DOCUMENT_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
  },
  http: {
    method: "DELETE",
    path: "/workspace/:slug/remove-and-unembed",
    summary: "Remove a document from every workspace and from the library",
  },
  input: z.object({ slug, documentLocation: z.string().max(1024) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});
/**
 * Without a query the full tree as in [2025-05], streamed; with folder, offset, limit one page, of
 * 1,000 at most.
 */
export const listLocalFiles = defineOperation({
  name: "gateway.document.tree",
  service: "gateway",
  access: { who: "manager" },
  errors: { BAD_INPUT: refusedFolder },
  http: {
    method: "GET",
    path: "/system/local-files",
    mount: "custom",
    summary: "The library: the full tree, or one folder by page",
  },
  input: z.object({
    folder: askedFolder,
    offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
    limit: z.union([z.literal("all"), z.coerce.number().int().min(1)]).default(100),
  }),
  output: z.union([
    z.object({
      localFiles: z.object({
        name: z.literal("documents"),
        type: z.literal("folder"),
        items: z.array(
          z.object({ name: z.string(), type: z.literal("folder"), items: z.array(fileItem) }),
        ),
      }),
    }),
    z.object({
      folder: z.string(),
      documents: z.array(fileItem),
      totalCount: z.number().int(),
      hasMore: z.boolean(),
      code: z.number().int(),
      error: z.string().nullable(),
    }),
  ]),
});
/**
 * Internal: the full tree as the text of its JSON, the folder of uploads first; it comes by a pipe,
 * which has to be read at once.
 */
export const openLibraryTree = defineOperation({
  name: "ingest.document.tree",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({}),
  output: z.object({ pipe: z.string() }),
});
/**
 * Internal: documents of one folder in the order of `docpath`; fewer than `limit` where a reply
 * holds no more.
 */
export const listLibraryFolder = defineOperation({
  name: "ingest.document.folder",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    folder: z.string().max(808),
    offset: z.number().int().min(0),
    limit: z.number().int().min(1).max(1000),
  }),
  output: z.object({ files: z.array(fileItem), total: z.number().int(), exists: z.boolean() }),
});
export const getProcessorStatus = defineOperation({
  name: "ingest.processor.status",
  service: "ingest",
  access: { who: "session" },
  http: {
    method: "GET",
    path: "/system/document-processing-status",
    summary: "Whether documents can be processed now",
  },
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
  errors: {
    TIMEOUT: { status: 503, kind: "text", text: "Service Unavailable" },
    UNAVAILABLE: { status: 503, kind: "text", text: "Service Unavailable" },
  },
  timeoutMs: 3_000,
});
export const listAcceptedTypes = defineOperation({
  name: "ingest.processor.types",
  service: "ingest",
  access: { who: "session" },
  errors: noTypes,
  timeoutMs: 3_000,
  http: {
    method: "GET",
    path: "/system/accepted-document-types",
    summary: "MIME types and extensions that can be parsed",
  },
  input: z.object({}),
  output: z.object({ types: z.record(z.string(), z.array(z.string())) }),
});

/* Ours: the document panel and the source viewer. */
export const listDocumentStatuses = defineOperation({
  name: "ingest.workspace-document.page",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/documents",
    summary: "Documents of a workspace with their states",
  },
  input: z.object({
    slug,
    search: z.string().max(200).default(""),
    offset: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(100),
    /** `waiting` is whatever is under way. */ state: z
      .enum(["waiting", "ready", "failed", "pinned"])
      .optional(),
    kinds: listOf(documentKind, 15),
    /** Has all of them. */ tags: listOf(documentTag, 20),
    sort: z.enum(["added", "title", "bytes"]).default("added"),
    descending: yesOrNo.default(true),
  }),
  output: z.object({
    documents: z.array(workspaceDocumentStatus),
    total: z.number().int(),
    passages: z.number().int(),
  }),
});
export const retryDocument = defineOperation({
  name: "ingest.document.retry",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/documents/:documentId/retry",
    summary: "Try a failed document again",
  },
  input: z.object({ slug, documentId: z.uuid() }),
  output: z.object({ success: z.boolean() }),
});
/**
 * Removes a failed or unwanted document by id from this workspace, and from the library when no
 * other holds it and `purge` is set.
 */
export const removeWorkspaceDocument = defineOperation({
  name: "ingest.workspace-document.remove",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/workspace/:slug/documents/:documentId",
    summary: "Take a document out of the workspace",
  },
  input: z.object({ slug, documentId: z.uuid(), purge: z.boolean().default(true) }),
  output: z.object({ success: z.boolean() }),
});
/** A character of a document's text; more than PostgreSQL's integers does not exist. */
const place = z.coerce.number().int().min(0).max(2_000_000_000);
/** A range of a document's text. */
export const textRange = z.object({
  documentId: z.uuid(),
  start: place.default(0),
  end: place.optional(),
  /** Range whose rectangles and lines are wanted. */ markStart: place.optional(),
  markEnd: place.optional(),
});
export const documentText = z.object({
  title: z.string(),
  mime: z.string(),
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  length: z.number().int(),
  pages: z.number().int().nullable(),
  page: z.number().int().nullable(),
  /** Of source code, counted from 1: first and last of the marked range. */ lines: z
    .object({ first: z.number().int(), last: z.number().int() })
    .nullable()
    .default(null),
  headingPath: z.array(z.string()),
  rectangles: z.array(pageRectangle),
  originalUrl: z.string().nullable(),
});
/**
 * Text around a passage for the viewer (never the whole of a large document at once), the map for
 * its range, and a signed address of the original.
 */
export const getDocumentText = defineOperation({
  name: "ingest.document.text",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  http: {
    method: "GET",
    path: "/workspace/:slug/documents/:documentId/text",
    summary: "Text of a document by character range, with pages and rectangles",
  },
  input: textRange.extend({ slug }),
  output: documentText,
});

/**
 * Internal: retrieval for one question. `query` may hold the previous question too (follow-ups).
 */
export const searchPassages = defineOperation({
  name: "ingest.passage.search",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  timeoutMs: 20_000,
  input: z.object({
    query: z.string().max(20_000),
    topN: z.number().int().min(1).max(100),
    similarityThreshold: z.number().min(0).max(1),
    mode: z.enum(["hybrid", "text", "dense"]).default("hybrid"),
    /** Documents that the prompt holds in full already: left out before the best are counted. */ excludeDocumentIds:
      z.array(z.uuid()).max(2_000).default([]),
    filter: retrievalFilter.default({}),
    /** Orders the best once more by a reranker; without one that works the order stays. */ rerank:
      z.boolean().default(false),
    /** Widens the query by terms of the first hits. */ expansion: z.boolean().default(true),
    /** Candidates that are told of in `trace`; 0: no trace. */ trace: z
      .number()
      .int()
      .min(0)
      .max(100)
      .default(0),
  }),
  output: z.object({
    passages: z.array(passage),
    /** Documents that were searched; 0 means that the workspace holds nothing yet. */
    documentCount: z.number().int(),
    /** Whether vectors took part. */
    dense: z.boolean(),
    milliseconds: z.number(),
    /** What was looked at and why it was kept or dropped, where asked for. */ trace: searchTrace
      .nullable()
      .default(null),
  }),
});
/**
 * Internal: whether vectors exist (another embedder then means a new index), and what the native
 * model is doing.
 */
export const getEmbeddingState = defineOperation({
  name: "ingest.embedding.state",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["workspace"],
  timeoutMs: 5_000,
  input: z.object({}),
  output: z.object({
    hasEmbeddings: z.boolean(),
    native: z.object({
      state: z.enum(["ready", "missing", "downloading", "off"]),
      message: z.string().nullable(),
      progress: z.number().nullable(),
    }),
  }),
});
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

/*
 * Ids and versions are those of the rows; handlers read the row again and skip what is no longer
 * due. Workspaces take turns.
 */
/** Whose the work is; absent: the library's. */
const waitsFor = z.number().int().optional();
export const parseDocument = defineJob({
  name: "document.parse",
  service: "ingest",
  queue: "parse",
  payload: z.object({ documentId: z.string(), version: z.number().int(), workspaceId: waitsFor }),
  fairBy: "workspaceId",
  attempts: 3,
  backoffMs: 1_000,
});
/** `parseDocument` for a document whose pages are pictures of text. */
export const recogniseDocument = defineJob({
  name: "document.recognise",
  service: "ingest",
  queue: "recognise",
  payload: z.object({ documentId: z.string(), version: z.number().int(), workspaceId: waitsFor }),
  fairBy: "workspaceId",
  attempts: 3,
  backoffMs: 1_000,
});
export const indexDocument = defineJob({
  name: "document.index",
  service: "ingest",
  queue: "index",
  payload: z.object({
    workspaceDocumentId: z.number().int(),
    version: z.number().int(),
    workspaceId: waitsFor,
  }),
  fairBy: "workspaceId",
  attempts: 5,
  backoffMs: 1_000,
});
export const embedDocument = defineJob({
  name: "document.embed",
  service: "ingest",
  queue: "embed",
  payload: z.object({
    workspaceDocumentId: z.number().int(),
    version: z.number().int(),
    workspaceId: waitsFor,
  }),
  fairBy: "workspaceId",
  attempts: 5,
  backoffMs: 2_000,
});
export const sweepIndex = defineJob({
  name: "index.sweep",
  service: "ingest",
  queue: "sweep",
  payload: z.object({ workspaceId: z.number().int(), version: z.number().int() }),
  attempts: 5,
  backoffMs: 2_000,
});

/** Counts in sidebars and open panels follow it. */
export const workspaceDocumentsChanged = defineEvent({
  name: "workspace-documents.changed",
  service: "ingest",
  consumers: [],
  payload: z.object({ workspaceId: z.number().int() }),
});
