import { z } from "zod";
import { noWorkspace } from "./chat.ts";
import { slug } from "./coercion.ts";
import { documentKind, documentTag, documentText, fileItem, textRange } from "./document.ts";
import { defineEvent, defineJob, defineOperation, type ErrorReply } from "./operation.ts";

/*
 * The library: every document of the instance in its folders, whether a workspace holds it or not
 * (wire-contract 2.4, 6.1, 9.3).
 */

/**
 * A folder is a path of at most eight names joined by `/`, each at most 100 characters and none of
 * them `.` or `..`; nothing
 * is stored under it. Existing clients see one flat folder of that name.
 */
export const folderName = z.string().min(1).max(808);
/** Bytes of a body that names documents by the thousand; the gateway passes it on in parts. */
const manyPaths = 32 * 1024 * 1024;
const inWorkspace = { WORKSPACE_NOT_FOUND: noWorkspace };
const folderMissing: ErrorReply = {
  status: 404,
  kind: "json",
  body: { success: false, message: "$message" },
};
const folderRefused: ErrorReply = {
  status: 400,
  kind: "json",
  body: { success: false, message: "$message" },
};
const folderTaken: ErrorReply = {
  status: 409,
  kind: "json",
  body: { success: false, message: "$message" },
};

/** ISO 8601; PostgreSQL knows no year 0. */
const moment = z.iso.datetime().refine((text) => !text.startsWith("0000"));
/** Where in the library one looks; every part narrows. */
export const libraryFilter = z.object({
  /** Only this folder; with `deep` the folders below it too. */ folder: folderName.optional(),
  deep: z.boolean().default(false),
  /** In title, file name, author and source; case and accents do not matter. */ search: z
    .string()
    .max(200)
    .default(""),
  kinds: z.array(documentKind).max(15).default([]),
  /** Has all of them. */ tags: z.array(documentTag).max(20).default([]),
  state: z.enum(["waiting", "ready", "failed"]).optional(),
  addedAfter: moment.optional(),
  addedBefore: moment.optional(),
  /** Only what this workspace does not hold yet. */ missingIn: slug.optional(),
  /** Only what this workspace holds; `state` is then how it stands there. */ heldIn:
    slug.optional(),
});
export type LibraryFilter = z.infer<typeof libraryFilter>;
/** What a selection by filter leaves out: documents, and folders with all below them. */
const selectionExceptions = z.object({
  documentIds: z.array(z.uuid()).max(5_000).default([]),
  folders: z.array(folderName).max(200).default([]),
});
/**
 * Documents by id, or all that a filter finds: select all of 100,000 names none of them. A request
 * between services holds no more than 5,000 ids.
 */
export const documentSelection = z.union([
  z.object({ documentIds: z.array(z.uuid()).min(1).max(5_000) }),
  z.object({ filter: libraryFilter, except: selectionExceptions.optional() }),
]);
export type DocumentSelection = z.infer<typeof documentSelection>;

/** A document of the library as our document manager shows it. */
export const libraryDocument = z.object({
  documentId: z.uuid(),
  docpath: z.string(),
  folder: z.string(),
  title: z.string(),
  filename: z.string(),
  kind: documentKind,
  mime: z.string(),
  bytes: z.number().int(),
  pages: z.number().int().nullable(),
  wordCount: z.number().int(),
  /** Of reading it; where it stands in a workspace is the workspace's matter. */ state: z.enum([
    "queued",
    "parsing",
    "parsed",
    "failed",
  ]),
  reason: z.string().nullable(),
  /** ISO 8601. */ addedAt: z.string(),
  source: z.string(),
  canWatch: z.boolean(),
  tags: z.array(z.string()),
  hasOriginal: z.boolean(),
  /** Ids of workspaces that hold it. */ workspaces: z.array(z.number().int()),
});
export type LibraryDocument = z.infer<typeof libraryDocument>;

export const listFolders = defineOperation({
  name: "ingest.library.folders",
  service: "ingest",
  access: { who: "manager" },
  http: {
    method: "GET",
    path: "/library/folders",
    summary: "Folders of the library with how much they hold",
  },
  input: z.object({}),
  /**
   * In the order of their paths; parents come with their children whether they hold documents
   * themselves or not.
   */
  output: z.object({
    folders: z.array(
      z.object({
        name: z.string(),
        /** In it, not below it. */ documents: z.number().int(),
        failed: z.number().int(),
      }),
    ),
    documents: z.number().int(),
    tags: z.array(z.string()),
  }),
});
export const listLibrary = defineOperation({
  name: "ingest.library.page",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  errors: inWorkspace,
  calls: ["workspace"],
  // Filters may be long: a body, though it only reads.
  http: {
    method: "POST",
    path: "/library/search",
    summary: "Documents of the library by filter and page",
  },
  input: z.object({
    filter: libraryFilter.prefault({}),
    sort: z.enum(["added", "title", "bytes"]).default("added"),
    descending: z.boolean().default(true),
    offset: z.number().int().min(0).max(10_000_000).default(0),
    limit: z.number().int().min(1).max(200).default(100),
  }),
  output: z.object({ documents: z.array(libraryDocument), total: z.number().int() }),
});
/** wire-contract 6.1; refusals have the wire's words, their status is honest. */
export const createFolder = defineOperation({
  name: "ingest.library.create-folder",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "keyed",
  errors: { CONFLICT: folderTaken, BAD_INPUT: folderRefused },
  http: { method: "POST", path: "/document/create-folder", summary: "Make a folder" },
  input: z.object({ name: z.string().max(4096) }),
  output: z.object({ success: z.boolean(), message: z.string().nullable() }),
});
const movedFiles = z.array(z.object({ from: z.string().max(1024), to: z.string().max(1024) }));
/**
 * Documents that a workspace holds move too in ours (a docpath is only a name); the wire's
 * `move-files` leaves them where they are and counts them.
 */
export const moveFiles = defineOperation({
  name: "gateway.library.move-files",
  service: "gateway",
  access: { who: "manager" },
  errors: { BAD_INPUT: folderRefused },
  http: {
    method: "POST",
    path: "/document/move-files",
    mount: "custom",
    bodyLimit: manyPaths,
    summary: "Move documents that no workspace holds into other folders",
  },
  input: z.object({ files: movedFiles.max(100_000) }),
  output: z.object({ success: z.boolean(), message: z.string().nullable() }),
});
/**
 * Internal: as many of them as a request between services holds. `held`: some workspace has them;
 * `failed`: there is no such document, or the new name is none or taken.
 */
export const moveLibraryFiles = defineOperation({
  name: "ingest.library.move-files",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "keyed",
  input: z.object({ files: movedFiles.max(5_000) }),
  output: z.object({ moved: z.number().int(), held: z.number().int(), failed: z.number().int() }),
});
export const renameFolder = defineOperation({
  name: "ingest.library.rename-folder",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "keyed",
  errors: { NOT_FOUND: folderMissing, CONFLICT: folderTaken, BAD_INPUT: folderRefused },
  http: {
    method: "POST",
    path: "/library/folders/rename",
    summary: "Give a folder, with all below it, another name or place",
  },
  input: z.object({ from: folderName, to: folderName }),
  output: z.object({ success: z.boolean() }),
});
/**
 * wire-contract 2.4: unknown names and `custom-documents` do nothing. What is below the folder goes
 * too.
 */
export const removeFolder = defineOperation({
  name: "ingest.library.remove-folder",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/system/remove-folder",
    summary: "Delete a folder and every document in it",
  },
  input: z.object({ name: z.string().max(4096) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});
/** Unknown names are passed over, as the wire does. */
export const removeDocuments = defineOperation({
  name: "ingest.library.remove-documents",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/system/remove-documents",
    mount: "custom",
    bodyLimit: manyPaths,
    summary: "Delete documents by their docpath, from every workspace",
  },
  input: z.object({ names: z.array(z.string().max(1024)).max(100_000) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});
export const removeDocument = defineOperation({
  name: "ingest.library.remove-document",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  http: {
    method: "DELETE",
    path: "/system/remove-document",
    summary: "Delete a document by its docpath, from every workspace",
  },
  input: z.object({ name: z.string().max(1024) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});
/** Name and content, at most 50 documents. */
export const searchLocalFiles = defineOperation({
  name: "ingest.library.search-files",
  service: "ingest",
  access: { who: "manager" },
  http: {
    method: "GET",
    path: "/system/local-files/search",
    summary: "Documents whose name or text holds some words",
  },
  input: z.object({ q: z.string().max(500).default("") }),
  output: z.object({
    results: z.array(
      z.object({ name: z.string(), type: z.literal("folder"), items: z.array(fileItem) }),
    ),
  }),
});
export const findLocalFiles = defineOperation({
  name: "ingest.library.by-docpaths",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/system/local-files/by-docpaths",
    mount: "custom",
    bodyLimit: manyPaths,
    summary: "Documents by their docpaths",
  },
  input: z.object({ docpaths: z.array(z.string().max(1024)).max(10_000) }),
  output: z.object({ documents: z.array(fileItem.extend({ docpath: z.string() })) }),
});
/** wire-contract 3.3: takes a document that still waits out of the workspace again. */
export const leaveEmbedQueue = defineOperation({
  name: "ingest.workspace-document.leave-queue",
  service: "ingest",
  access: { who: "manager", workspace: true },
  idempotency: "natural",
  errors: {
    ...inWorkspace,
    BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "Missing filename" } },
  },
  http: {
    method: "DELETE",
    path: "/workspace/:slug/embed-queue",
    summary: "Stop embedding a document that waits for it",
  },
  input: z.object({ slug, filename: z.string().max(1024).default("") }),
  output: z.object({ success: z.boolean() }),
});

/*
 * Ours: what the document manager does with a selection. `affected` documents are done or surely
 * will be; `message` says why others were not.
 */
const outcome = z.object({
  affected: z.number().int(),
  skipped: z.number().int(),
  message: z.string().nullable(),
});
const mayMiss = { ...inWorkspace, NOT_FOUND: folderMissing, BAD_INPUT: folderRefused };
export const moveDocuments = defineOperation({
  name: "ingest.library.move",
  service: "ingest",
  access: { who: "manager" },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/library/move",
    summary: "Move documents into a folder, which is made when missing",
  },
  input: z.object({ selection: documentSelection, folder: folderName }),
  output: outcome,
});
export const tagDocuments = defineOperation({
  name: "ingest.library.tag",
  service: "ingest",
  access: { who: "manager" },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/library/tag",
    summary: "Put tags on documents, or take them off",
  },
  input: z.object({
    selection: documentSelection,
    add: z.array(documentTag).max(20).default([]),
    remove: z.array(documentTag).max(20).default([]),
  }),
  output: outcome,
});
/** Gone at once for every reader; index rows and originals follow in the background. */
export const purgeDocuments = defineOperation({
  name: "ingest.library.purge",
  service: "ingest",
  access: { who: "manager" },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/library/purge",
    summary: "Delete documents from the library and every workspace",
  },
  input: z.object({ selection: documentSelection }),
  output: outcome,
});
export const rereadDocuments = defineOperation({
  name: "ingest.library.reread",
  service: "ingest",
  access: { who: "manager" },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: { method: "POST", path: "/library/reread", summary: "Read failed documents again" },
  input: z.object({ selection: documentSelection }),
  output: outcome,
});
/** Starts at once and goes on in the background; progress comes by `embed-progress`. */
export const addDocuments = defineOperation({
  name: "ingest.workspace-document.add",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/documents/add",
    summary: "Put documents of the library into the workspace",
  },
  input: z.object({ slug, selection: documentSelection }),
  output: outcome,
});
/**
 * A selection by filter means the documents of this workspace that it finds. They stay in the
 * library.
 */
export const takeOutDocuments = defineOperation({
  name: "ingest.workspace-document.take-out",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/documents/take-out",
    summary: "Take documents out of the workspace",
  },
  input: z.object({ slug, selection: documentSelection }),
  output: outcome,
});
/** Split, index and embed again with the settings of now, while what is there goes on answering. */
export const embedAgain = defineOperation({
  name: "ingest.workspace-document.embed-again",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/documents/embed-again",
    summary: "Split and embed documents of the workspace again",
  },
  input: z.object({ slug, selection: documentSelection }),
  output: outcome,
});
export const pinDocuments = defineOperation({
  name: "ingest.workspace-document.pin-many",
  service: "ingest",
  access: { who: "manager", workspace: true },
  errors: mayMiss,
  calls: ["workspace"],
  idempotency: "natural",
  http: {
    method: "POST",
    path: "/workspace/:slug/documents/pin",
    summary: "Pin documents of the workspace, or unpin them",
  },
  input: z.object({ slug, selection: documentSelection, pinned: z.boolean() }),
  output: outcome,
});
/** A signed address of the original, good for 60 seconds; null where none was kept. */
export const signOriginal = defineOperation({
  name: "ingest.library.original",
  service: "ingest",
  access: { who: "manager" },
  errors: { DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  http: {
    method: "GET",
    path: "/library/documents/:documentId/original",
    summary: "A short-lived address of the original of a document",
  },
  input: z.object({ documentId: z.uuid() }),
  output: z.object({ url: z.string().nullable() }),
});

/**
 * To be read whether a workspace holds it or not; for members of a workspace that does there is
 * `getDocumentText`.
 */
export const getLibraryDocumentText = defineOperation({
  name: "ingest.library.text",
  service: "ingest",
  access: { who: "manager" },
  errors: { DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  http: {
    method: "GET",
    path: "/library/documents/:documentId/text",
    summary: "Text of a document of the library by character range",
  },
  input: textRange,
  output: documentText,
});

/**
 * One page of a selection that is too large for one transaction; `after` is the last document done.
 */
export const changeSelection = defineJob({
  name: "library.change",
  service: "ingest",
  queue: "library",
  attempts: 5,
  backoffMs: 1_000,
  payload: z.object({ changeId: z.uuid(), version: z.number().int() }),
});
/** Document managers look again. Told at most once a second. */
export const libraryChanged = defineEvent({
  name: "library.changed",
  service: "ingest",
  consumers: [],
  payload: z.object({}),
});
