import { z } from "zod";
import { noThread, noWorkspace } from "./chat.ts";
import { rowId, slug } from "./coercion.ts";
import { defineJob, defineOperation } from "./operation.ts";
import { passage } from "./source.ts";
import { workspaceDocumentWire } from "./workspace.ts";

/*
 * What is put into a prompt beside the passages that were found: pinned documents, and files that
 * were dropped on a chat.
 */

const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };
const failed = { status: 422, kind: "json", body: { success: false, error: "$message" } } as const;

/** A pinned document is given to the model in full, as far as its window goes. */
export const updatePin = defineOperation({
  name: "ingest.workspace-document.pin",
  service: "ingest",
  access: { who: "manager", workspace: true },
  idempotency: "natural",
  errors: { ...inWorkspace, DOCUMENT_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" } },
  http: {
    method: "POST",
    path: "/workspace/:slug/update-pin",
    summary: "Pin a document of a workspace, or unpin it",
  },
  input: z.object({ slug, docPath: z.string().max(1024), pinStatus: z.boolean().default(false) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});
/**
 * wire-contract 3.3 and 6.6: everywhere the document is. Refused while live sync is off, and where
 * a document has no source to follow.
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
  http: {
    method: "POST",
    path: "/workspace/:slug/update-watch-status",
    summary: "Let a document follow its source, or no longer",
  },
  input: z.object({ slug, docPath: z.string().max(1024), watchStatus: z.boolean().default(false) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});
/**
 * Drops the vectors, the text index and every document link of the workspace; source files stay.
 */
export const resetVectorDatabase = defineOperation({
  name: "ingest.workspace-document.reset",
  service: "ingest",
  access: { who: "manager", workspace: true },
  idempotency: "natural",
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  http: {
    method: "DELETE",
    path: "/workspace/:slug/reset-vector-db",
    summary: "Take all documents out of a workspace",
  },
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});
/** Unknown and foreign slugs count nothing. */
export const countVectors = defineOperation({
  name: "ingest.vector.count",
  service: "ingest",
  access: { who: "manager" },
  calls: ["workspace"],
  http: {
    method: "GET",
    path: "/system/system-vectors",
    summary: "Number of vectors, of all or of one workspace",
  },
  input: z.object({ slug: z.string().max(255).optional() }),
  output: z.object({ vectorCount: z.number().int() }),
});

/**
 * A file that was dropped on a chat: read in full by the next answers of its thread, owned by who
 * dropped it.
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
/**
 * Multipart field file, and threadSlug as text (`null` and empty are the default thread). Answers
 * when it is parsed.
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
  http: {
    method: "POST",
    path: "/workspace/:slug/parse",
    mount: "custom",
    summary: "Read a file into a thread (multipart field file)",
  },
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
  http: {
    method: "GET",
    path: "/workspace/:slug/parsed-files",
    mount: "custom",
    summary: "Files of a thread",
  },
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
  http: {
    method: "DELETE",
    path: "/workspace/:slug/delete-parsed-files",
    summary: "Take own files out of a thread",
  },
  input: z.object({ slug, fileIds: z.array(rowId).max(1_000).default([]) }),
  output: z.void(),
  success: { status: 200, kind: "empty" },
});
/** The file becomes a document of the workspace. */
export const embedParsedFile = defineOperation({
  name: "gateway.parsed-file.embed",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: {
    ...inWorkspace,
    DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { success: false, error: "$message" } },
    CONFLICT: { status: 409, kind: "json", body: { success: false, error: "$message" } },
    DOCUMENT_UNREADABLE: failed,
  },
  http: {
    method: "POST",
    path: "/workspace/:slug/embed-parsed-file/:fileId",
    mount: "custom",
    summary: "Move a file of a thread into the documents of the workspace",
  },
  input: z.object({ slug, fileId: rowId }),
  output: z.object({
    success: z.boolean(),
    error: z.string().nullable(),
    document: workspaceDocumentWire.nullable(),
  }),
});
/**
 * Internal: resolves a thread of the caller to its id (null: the default thread before its first
 * message).
 */
export const findThreadId = defineOperation({
  name: "chat.thread.find-id",
  service: "chat",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({ threadSlug: z.string().nullable() }),
  output: z.object({ threadId: z.number().int() }),
});
/**
 * Internal: a blob becomes a file of a thread; parsed by the same workers as documents, ends parsed
 * or failed. BAD_INPUT when the thread has too many, THREAD_NOT_FOUND when it went.
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
    /** For waiting: `getDocumentStates` without a workspace knows it. */ documentId: z.string(),
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
        reason: z.string().nullable(),
      }),
    ),
  }),
});
/**
 * Internal: the own file becomes a document of the library and of the workspace, and is a file no
 * more. DOCUMENT_UNREADABLE (the file goes too) where it could not be read, CONFLICT while it is
 * being read.
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
 * Internal, for chat's daily comparison: threads that have files, in the order of their ids; for
 * those that are gone chat tells `threadDeleted`.
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
 * Internal: full texts for a prompt, pinned documents in the order in which they were pinned, then
 * the caller's files of the
 * thread, until `maximumCharacters` (of all replies together), where `text` is cut. A reply holds
 * at most 1 MB: `next` is the
 * `after` of the next call, which says the same `maximumCharacters`; a text that one reply cannot
 * hold goes on in the first
 * entry of the next, under the same `documentId`.
 */
export const listContextTexts = defineOperation({
  name: "ingest.context.list",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  timeoutMs: 10_000,
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
        text: z.string(),
      }),
    ),
    next: z.string().nullable(),
  }),
});
/**
 * Internal: the passages that earlier answers had as sources, as far as their documents are still
 * in the workspace in scope; in
 * the order asked for, read anew, at most 1 MB (the first ones). Nobody searched for them: `score`
 * is 0, the others null.
 */
export const findPassages = defineOperation({
  name: "ingest.passage.find",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  timeoutMs: 10_000,
  input: z.object({
    /** Fields of `sourceWire`; `id` is given back as `chunkId`. */ sources: z
      .array(
        z.object({
          id: z.string().max(255),
          documentId: z.uuid(),
          start: z.number().int().min(0).max(2_000_000_000),
          end: z.number().int().min(0).max(2_000_000_000),
        }),
      )
      .max(200),
  }),
  output: z.object({ passages: z.array(passage) }),
});
/**
 * `parseDocument` for a file dropped on a chat, in a queue of its own: who chats does not wait for
 * a library that is being filled.
 */
export const parseThreadFile = defineJob({
  name: "parsed-file.parse",
  service: "ingest",
  queue: "parse-file",
  payload: z.object({ documentId: z.string(), version: z.number().int() }),
  attempts: 3,
  backoffMs: 1_000,
});
