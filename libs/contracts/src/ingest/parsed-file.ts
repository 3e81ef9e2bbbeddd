import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { inWorkspace, noThread } from "../error-reply.ts";
import { reasonWire } from "../errors/error-definition.ts";
import { defineJob, defineOperation, type Contracts } from "../operation.ts";
import { workspaceDocumentWire } from "./workspace-document.ts";

/**
 * A file attached to a chat: included in full in the next answers of its thread, and owned by the
 * person who attached it.
 */
export const parsedFileWire = z.object({
  id: z.number().int(),
  filename: z.string(),
  workspaceId: z.number().int(),
  userId: z.number().int().nullable(),
  threadId: z.number().int().nullable(),
  metadata: z.string(),
  tokenCountEstimate: z.number().int(),
  createdAt: z.string(),
});

const failed = { status: 422, kind: "json", body: { success: false, error: "$message" } } as const;

/**
 * Multipart field file, and threadSlug as text (`null` and empty mean the default thread). Responds
 * once the file is parsed.
 */
export const parseFile = defineOperation({
  name: "gateway.parsed-file.create",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: {
    ...inWorkspace,
    THREAD_NOT_FOUND: noThread,
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
    DOCUMENT_UNREADABLE: failed,
    UNSUPPORTED: failed,
    TOO_LARGE: { status: 413, kind: "json", body: { success: false, error: "$message" } },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/parse",
      summary: "Attach a file to a thread (multipart field file)",
    },
  ],
  input: z.object({ slug }),
  output: z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    files: z.array(parsedFileWire).optional(),
  }),
});

/** A view: files (ingest) and the model's window (chat). */
export const listParsedFiles = defineOperation({
  name: "gateway.parsed-file.list",
  service: "gateway",
  access: { who: "session", workspace: true },
  errors: { ...inWorkspace, THREAD_NOT_FOUND: noThread },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/parsed-files",
      summary: "List the files attached to a thread",
    },
  ],
  input: z.object({ slug, threadSlug: z.string().max(255).optional() }),
  output: z.object({
    files: z.array(
      z.object({
        id: z.number().int(),
        title: z.string(),
        location: z.string(),
        token_count_estimate: z.number().int(),
      }),
    ),
    contextWindow: z.number().int().nullable(),
    currentContextTokenCount: z.number().int(),
  }),
});

export const deleteParsedFiles = defineOperation({
  name: "ingest.parsed-file.delete",
  service: "ingest",
  access: { who: "session", workspace: true },
  idempotency: "natural",
  errors: {
    ...inWorkspace,
    BAD_INPUT: { status: 400, kind: "text", text: "Bad Request" },
    DOCUMENT_NOT_FOUND: { status: 403, kind: "text", text: "Forbidden" },
  },
  routes: [
    {
      method: "DELETE",
      path: "/workspace/:slug/delete-parsed-files",
      summary: "Remove your files from a thread",
    },
  ],
  input: z.object({ slug, fileIds: z.array(rowId).max(1_000).default([]) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});

/** Turns the file into a document of the workspace. */
export const embedParsedFile = defineOperation({
  name: "gateway.parsed-file.embed",
  service: "gateway",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: {
    ...inWorkspace,
    DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { success: false, error: "$message" } },
    CONFLICT: { status: 409, kind: "json", body: { success: false, error: "$message" } },
    DOCUMENT_UNREADABLE: failed,
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/embed-parsed-file/:fileId",
      summary: "Add a thread's file to the workspace's documents",
    },
  ],
  input: z.object({ slug, fileId: rowId }),
  output: z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    document: workspaceDocumentWire.nullable(),
  }),
});

/**
 * Internal: adds a blob as a file of a thread. The document workers parse it; it ends up parsed or
 * failed. BAD_INPUT if the thread has too many files, THREAD_NOT_FOUND if it was deleted.
 */
export const registerParsedFile = defineOperation({
  name: "ingest.parsed-file.register",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "keyed",
  input: z.object({
    threadId: z.number().int(),
    blobKey: z.string(),
    sha256: z.string(),
    bytes: z.number().int(),
    filename: z.string().max(4096),
    mime: z.string().nullable(),
  }),
  output: z.object({
    id: z.number().int(),
    /** Pass it to `getDocumentStates` without a workspace to wait for the file. */
    documentId: z.string(),
  }),
});

export const findParsedFiles = defineOperation({
  name: "ingest.parsed-file.list",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ threadId: z.number().int(), ids: z.array(z.number().int()).optional() }),
  output: z.object({
    files: z.array(
      parsedFileWire.extend({
        title: z.string(),
        location: z.string(),
        documentId: z.string(),
        state: z.enum(["queued", "parsed", "failed"]),
        reason: reasonWire.nullable(),
      }),
    ),
  }),
});

/**
 * Internal: turns the caller's file into a document of the library and the workspace, and removes
 * it as a file. DOCUMENT_UNREADABLE if it could not be read (the file is removed too), CONFLICT
 * while it is being parsed.
 */
export const promoteParsedFile = defineOperation({
  name: "ingest.parsed-file.promote",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "keyed",
  input: z.object({ id: rowId }),
  output: z.object({ documentId: z.string() }),
});

/**
 * Internal, for chat's daily comparison: threads with files, ordered by id; chat publishes
 * `threadDeleted` for those that no longer exist.
 */
export const listFileThreads = defineOperation({
  name: "ingest.parsed-file.threads",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ after: z.number().int().default(0) }),
  output: z.object({
    threads: z.array(z.object({ workspaceId: z.number().int(), threadId: z.number().int() })),
    next: z.number().int().nullable(),
  }),
});

/**
 * `parseDocument` for files attached to a chat; uses a separate queue so that they do not wait
 * behind a bulk upload to the library.
 */
export const parseThreadFile = defineJob({
  name: "parsed-file.parse",
  service: "ingest",
  queue: "parse-file",
  payload: z.object({
    documentId: z.string(),
    version: z.number().int(),
    owner: z.string().optional(),
  }),
  fairBy: "owner",
  attempts: 3,
  backoffMs: 1_000,
});

export const parsedFileContracts: Contracts = {
  operations: [
    parseFile,
    listParsedFiles,
    deleteParsedFiles,
    embedParsedFile,
    registerParsedFile,
    findParsedFiles,
    promoteParsedFile,
    listFileThreads,
  ],
  jobs: [parseThreadFile],
};
