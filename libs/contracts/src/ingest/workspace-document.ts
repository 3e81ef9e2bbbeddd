import { z } from "zod";
import { listOf, slug, yesOrNo } from "../coercion.ts";
import { byKey, inWorkspace, refusedKey } from "../error-reply.ts";
import { reasonWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";
import { documentAccess } from "./document-access.ts";
import { documentKind, documentState, documentTag } from "./document.ts";

/**
 * Internal: part of the view of a workspace (documents that are at least searchable), as the JSON
 * that clients receive, built by PostgreSQL (docs/decisions/gateway.md).
 */
export const readWorkspaceDocuments = defineOperation({
  name: "ingest.workspace-document.read",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  // A reply holds at most 1 MB: pages of 1,000 by id, until `next` is null.
  input: z.object({
    after: z.number().int().nullable().default(null),
    /** Only these documents. */
    documentIds: z.array(z.uuid()).max(1_000).optional(),
  }),
  output: z.object({
    /** The elements of an array of `workspaceDocumentWire`, without its brackets. */
    items: z.string(),
    next: z.number().int().nullable(),
    /** Whether the caller has attached files to any of their threads in this workspace. */
    hasFiles: z.boolean(),
  }),
});

export const workspaceDocumentWire = z.object({
  id: z.number().int(),
  docId: z.string(),
  filename: z.string(),
  docpath: z.string(),
  workspaceId: z.number().int(),
  metadata: z.string(),
  pinned: z.boolean(),
  watched: z.boolean(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
});

export type WorkspaceDocumentWire = z.infer<typeof workspaceDocumentWire>;

/** Carrel-specific: a workspace document with its state, for the document panel. */
export const workspaceDocumentStatus = z.object({
  documentId: z.string(),
  docpath: z.string().nullable(),
  title: z.string(),
  state: documentState,
  reason: reasonWire.nullable(),
  /** 0 to 1 within the state; chunks done out of chunks due while indexing or embedding. */
  progress: z.number(),
  chunksDone: z.number().int(),
  chunksTotal: z.number().int(),
  bytes: z.number().int(),
  pages: z.number().int().nullable(),
  wordCount: z.number().int(),
  mime: z.string(),
  addedAt: z.string(),
  hasOriginal: z.boolean(),
  /** Who may see it; absent from progress streams. */
  access: documentAccess.optional(),
  /** Whether the model receives it in full. */
  pinned: z.boolean().optional(),
  /** Synced with its source. */
  watched: z.boolean().optional(),
  /** Whether its source can be watched while live sync is on. */
  canWatch: z.boolean().optional(),
  kind: documentKind.optional(),
  folder: z.string().optional(),
  /** The folder's display name; workbooks and archives may have their own. null: the root. */
  folderLabel: z.string().nullable().optional(),
  tags: z.array(z.string()).optional(),
  /** What was left out of it, or only assumed. */
  notes: z.array(reasonWire).optional(),
});

export type WorkspaceDocumentStatus = z.infer<typeof workspaceDocumentStatus>;

/* Carrel-specific: the document panel and the source viewer. */
export const listDocumentStatuses = defineOperation({
  name: "ingest.workspace-document.page",
  service: "ingest",
  access: { who: "session", workspace: true },
  errors: inWorkspace,
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/documents",
      summary: "List a workspace's documents with their states",
    },
  ],
  input: z.object({
    slug,
    search: z.string().max(200).default(""),
    offset: z.coerce.number().int().min(0).default(0),
    limit: z.coerce.number().int().min(1).max(200).default(100),
    /** Cursor of a page with the same order; if set, `offset` is ignored. */
    cursor: pageCursor,
    /** `waiting` means still being processed. */
    state: z.enum(["waiting", "ready", "failed", "pinned"]).optional(),
    kinds: listOf(documentKind, 15),
    /** Documents must have all of them. */
    tags: listOf(documentTag, 20),
    sort: z.enum(["added", "title", "bytes"]).default("added"),
    descending: yesOrNo.default(true),
  }),
  output: z.object({
    documents: z.array(workspaceDocumentStatus),
    total: z.number().int(),
    nextCursor: nextPageCursor,
    passages: z.number().int(),
  }),
});

/** Carrel-specific: counts for the sidebar. */
export const listDocumentCounts = defineOperation({
  name: "ingest.workspace-document.counts",
  service: "ingest",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/workspaces/document-counts",
      summary: "Count the documents of each workspace you can use",
    },
  ],
  // The guard scopes requests to one workspace only, so ingest asks the workspace service which ids
  // the principal may use.
  calls: ["workspace"],
  input: z.object({}),
  output: z.object({
    counts: z.array(
      z.object({
        workspaceId: z.number().int(),
        /** Searchable documents. */
        documents: z.number().int(),
        pending: z.number().int(),
        /** All documents in the workspace, in any state. */
        total: z.number().int().optional(),
        /** How many of `total` could not be read. */
        failed: z.number().int().optional(),
      }),
    ),
  }),
});

/**
 * Internal: removes immediately and starts adding; returns the ids to wait for and those that
 * failed.
 */
export const changeWorkspaceDocuments = defineOperation({
  name: "ingest.workspace-document.change",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  input: z.object({
    adds: z.array(z.string()),
    deletes: z.array(z.string()),
    /**
     * The caller has just uploaded `adds`; otherwise a restricted key adds only what it can read.
     */
    areNew: z.boolean().default(false),
  }),
  output: z.object({
    added: z.array(z.object({ documentId: z.string(), docpath: z.string() })),
    errors: z.array(reasonWire),
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
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/remove-and-unembed",
      summary: "Remove a document from every workspace and from the library",
    },
  ],
  input: z.object({ slug, documentLocation: z.string().max(1024) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});

/**
 * Removes a failed or unwanted document from this workspace by id, and also from the library if
 * `purge` is set and no other workspace contains it.
 */
export const removeWorkspaceDocument = defineOperation({
  name: "ingest.workspace-document.remove",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/documents/:documentId",
      summary: "Remove a document from the workspace",
    },
  ],
  input: z.object({ slug, documentId: z.uuid(), purge: z.boolean().default(true) }),
  output: z.object({ success: z.boolean() }),
});

/** Pins a document: the model receives it in full, as far as its context window allows. */
export const updatePin = defineOperation({
  name: "ingest.workspace-document.pin",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  idempotency: "natural",
  errors: { ...inWorkspace, DOCUMENT_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" } },
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/update-pin",
      summary: "Pin or unpin a document in a workspace",
    },
    {
      ...byKey("documents", { workspace: true }),
      name: "gateway.developer-workspace.update-pin",
      method: "POST",
      path: "/v1/workspace/:slug/update-pin",
      summary: "Pin or unpin a document in a workspace",
      output: z.object({ message: z.string() }),
      success: { status: 200, kind: "json" },
      mapReply: () => ({ message: "Pin status updated successfully" }),
      errors: {
        ...refusedKey,
        WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
      },
    },
  ],
  input: z.object({ slug, docPath: z.string().max(1024), pinStatus: z.boolean().default(false) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});

/**
 * wire-contract 3.3 and 6.6: applies to the document in every workspace. Refused while live sync is
 * off and for documents without a source to follow.
 */
export const updateWatchStatus = defineOperation({
  name: "ingest.workspace-document.watch",
  service: "ingest",
  access: { who: "manager", workspace: true },
  idempotency: "natural",
  calls: ["workspace"],
  errors: {
    ...inWorkspace,
    DOCUMENT_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" },
    UNSUPPORTED: { status: 400, kind: "text", text: "Bad Request" },
  },
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/update-watch-status",
      summary: "Watch or unwatch a document's source",
    },
  ],
  input: z.object({ slug, docPath: z.string().max(1024), watchStatus: z.boolean().default(false) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});

/**
 * Drops the vectors, the full-text index and every document link of the workspace; source files are
 * kept.
 */
export const resetVectorDatabase = defineOperation({
  name: "ingest.workspace-document.reset",
  service: "ingest",
  access: { who: "manager", workspace: true, memberMay: "createWorkspaces" },
  idempotency: "natural",
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/reset-vector-db",
      summary: "Reset a workspace's vector database, removing all its documents",
    },
  ],
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/** Updates the counts in sidebars and open panels. */
export const workspaceDocumentsChanged = defineEvent({
  name: "workspace-documents.changed",
  service: "ingest",
  consumers: [],
  payload: z.object({ workspaceId: z.number().int() }),
});

export const workspaceDocumentContracts: Contracts = {
  operations: [
    listDocumentStatuses,
    listDocumentCounts,
    changeWorkspaceDocuments,
    removeAndUnembed,
    removeWorkspaceDocument,
    updatePin,
    updateWatchStatus,
    resetVectorDatabase,
    readWorkspaceDocuments,
  ],
  events: [workspaceDocumentsChanged],
};
