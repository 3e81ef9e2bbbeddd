import { z } from "zod";
import { slug } from "../coercion.ts";
import { inWorkspace } from "../error-reply.ts";
import { reasonWire } from "../errors/error-definition.ts";
import { defineEvent, defineJob, defineOperation, type Contracts } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";
import { documentAccess } from "./document-access.ts";
import { documentKind, documentTag } from "./document.ts";
import { folderMissing, folderName, folderRefused } from "./folder.ts";

/** ISO 8601; PostgreSQL has no year 0. */
const moment = z.iso.datetime().refine((text) => !text.startsWith("0000"));

/** Which part of the library to list; all conditions must match. */
export const libraryFilter = z.object({
  /** Only this folder; `deep` includes its subfolders. */
  folder: folderName.optional(),
  deep: z.boolean().default(false),
  /** Matched against title, file name, author and source, ignoring case and accents. */
  search: z.string().max(200).default(""),
  kinds: z.array(documentKind).max(15).default([]),
  /** Documents must have all of them. */
  tags: z.array(documentTag).max(20).default([]),
  state: z.enum(["waiting", "ready", "failed"]).optional(),
  addedAfter: moment.optional(),
  addedBefore: moment.optional(),
  /** Only documents this workspace does not contain yet. */
  missingIn: slug.optional(),
  /** Only documents this workspace contains; `state` then refers to the workspace. */
  heldIn: slug.optional(),
});

export type LibraryFilter = z.infer<typeof libraryFilter>;

/** Exceptions to a selection by filter: documents, and folders including everything below them. */
const selectionExceptions = z.object({
  documentIds: z.array(z.uuid()).max(5_000).default([]),
  folders: z.array(folderName).max(200).default([]),
});

/**
 * Documents by id, or all that match a filter, so that selecting 100,000 doesn't list their ids. A
 * request between services holds at most 5,000 ids.
 */
export const documentSelection = z.union([
  z.object({ documentIds: z.array(z.uuid()).min(1).max(5_000) }),
  z.object({ filter: libraryFilter, except: selectionExceptions.optional() }),
]);

export type DocumentSelection = z.infer<typeof documentSelection>;

/*
 * Carrel-specific: result of applying an action of the document manager to a selection. `affected`
 * documents are done or will be; the action can't be applied to the others.
 */
export const selectionOutcome = z.object({
  affected: z.number().int(),
  skipped: z.number().int(),
});

export const selectionErrors = {
  ...inWorkspace,
  NOT_FOUND: folderMissing,
  BAD_INPUT: folderRefused,
};

/** A library document as Carrel's document manager shows it. */
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
  /** Reading state; each workspace has its own state for the document. */
  state: z.enum(["queued", "parsing", "parsed", "failed"]),
  reason: reasonWire.nullable(),
  /** ISO 8601. */
  addedAt: z.string(),
  source: z.string(),
  canWatch: z.boolean(),
  tags: z.array(z.string()),
  hasOriginal: z.boolean(),
  /** Who may see it. */
  access: documentAccess.optional(),
  /** What was left out of it, or only assumed. */
  notes: z.array(reasonWire).optional(),
  /** Ids of the workspaces that contain it. */
  workspaces: z.array(z.number().int()),
});

export type LibraryDocument = z.infer<typeof libraryDocument>;

export const listLibrary = defineOperation({
  name: "ingest.library.page",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  errors: inWorkspace,
  calls: ["workspace"],
  // POST although it only reads, because filters can be long.
  routes: [
    {
      method: "POST",
      path: "/library/search",
      summary: "List library documents, filtered and paged",
    },
  ],
  input: z.object({
    filter: libraryFilter.prefault({}),
    sort: z.enum(["added", "title", "bytes"]).default("added"),
    descending: z.boolean().default(true),
    offset: z.number().int().min(0).max(10_000_000).default(0),
    limit: z.number().int().min(1).max(200).default(100),
    /** Cursor of a page with the same order; if set, `offset` is ignored. */
    cursor: pageCursor,
  }),
  output: z.object({
    documents: z.array(libraryDocument),
    total: z.number().int(),
    nextCursor: nextPageCursor,
  }),
});

export const moveDocuments = defineOperation({
  name: "ingest.library.move",
  service: "ingest",
  access: { who: "manager" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/library/move",
      summary: "Move documents to a folder, creating it if missing",
    },
  ],
  input: z.object({ selection: documentSelection, folder: folderName }),
  output: selectionOutcome,
});

export const tagDocuments = defineOperation({
  name: "ingest.library.tag",
  service: "ingest",
  access: { who: "manager" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/library/tag",
      summary: "Add tags to documents, or remove them",
    },
  ],
  input: z.object({
    selection: documentSelection,
    add: z.array(documentTag).max(20).default([]),
    remove: z.array(documentTag).max(20).default([]),
  }),
  output: selectionOutcome,
});

/** Removed for all readers immediately; index rows and originals are deleted in the background. */
export const purgeDocuments = defineOperation({
  name: "ingest.library.purge",
  service: "ingest",
  access: { who: "manager" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/library/purge",
      summary: "Delete documents from the library and every workspace",
    },
  ],
  input: z.object({ selection: documentSelection }),
  output: selectionOutcome,
});

export const reparseDocuments = defineOperation({
  name: "ingest.library.reread",
  service: "ingest",
  access: { who: "manager" },
  errors: selectionErrors,
  calls: ["workspace"],
  idempotency: "natural",
  routes: [{ method: "POST", path: "/library/reread", summary: "Retry failed documents" }],
  input: z.object({ selection: documentSelection }),
  output: selectionOutcome,
});

/**
 * Processes one page of a selection too large for one transaction; `after` is the last document
 * processed.
 */
export const changeSelection = defineJob({
  name: "library.change",
  service: "ingest",
  queue: "library",
  attempts: 5,
  backoffMs: 1_000,
  payload: z.object({ changeId: z.uuid(), version: z.number().int() }),
});

/** Document managers reload when it arrives. Sent at most once a second. */
export const libraryChanged = defineEvent({
  name: "library.changed",
  service: "ingest",
  consumers: [],
  payload: z.object({
    /**
     * A change that failed before it reached all documents: how many are left, and who started it.
     */
    unfinished: z
      .object({ documents: z.number().int(), userId: z.number().int().nullable() })
      .optional(),
  }),
});

export const libraryContracts: Contracts = {
  operations: [listLibrary, moveDocuments, tagDocuments, purgeDocuments, reparseDocuments],
  jobs: [changeSelection],
  events: [libraryChanged],
};
