import { z } from "zod";
import { byKey, refusedKey, type ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { fileItem } from "./document.ts";

/**
 * Body limits of routes that name thousands of documents; the gateway forwards them in batches. A
 * document to move counts as five values, one that is only named as one.
 */
export const manyPaths = { bodyLimit: 32 * 1024 * 1024, bodyValues: 60_000 };

const longestPath = 1_024;
const path = z.string().max(longestPath);
const mostPaths = 50_000;
/**
 * Checking stops after this many invalid paths: zod's own lists describe each one, blocking for 0.1
 * s.
 */
const mostFaults = 5;

/** Paths of library files. */
export const pathList = z
  .array(z.any() as z.ZodType<string>)
  .max(mostPaths)
  .check(({ value, issues }) => {
    let faults = 0;
    for (let index = 0; index < value.length && faults < mostFaults; index++) {
      const entry: unknown = value[index];
      if (typeof entry === "string" && entry.length <= longestPath) continue;
      faults++;
      for (const { message: _, path: inner, ...issue } of path.safeParse(entry).error!.issues)
        issues.push({ ...issue, input: entry, path: [index, ...inner] } as never);
    }
  })
  .meta({ items: { type: "string", maxLength: longestPath } });

/*
 * The library: all documents of the instance in their folders, whether or not a workspace contains
 * them (wire-contract 2.4, 6.1, 9.3).
 */

/**
 * A folder is a path of at most eight names joined by `/`, each at most 100 characters and neither
 * `.` nor `..`; nothing is stored on disk under it. Existing clients see one flat folder of that
 * name.
 */
export const folderName = z.string().min(1).max(808);

export const folderMissing: ErrorReply = {
  status: 404,
  kind: "json",
  body: { success: false, message: "$message" },
};

export const folderRefused: ErrorReply = {
  status: 400,
  kind: "json",
  body: { success: false, message: "$message" },
};

/** wire-contract 2.4: reply to an invalid request for a page of a folder. */
export const refusedFolder = {
  status: 400,
  kind: "json",
  body: { folder: "", documents: [], totalCount: 0, hasMore: false, code: 400, error: "$message" },
} satisfies ErrorReply;

/** Existing clients send an empty name for no folder. */
export const askedFolder = z
  .string()
  .max(808)
  .optional()
  .transform((name) => name || undefined);

/**
 * Without a query the full tree as in [2025-05], streamed; with folder, offset and limit a page of
 * at most 1,000 documents.
 */
export const listLocalFiles = defineOperation({
  name: "gateway.document.tree",
  service: "gateway",
  access: { who: "manager" },
  errors: { BAD_INPUT: refusedFolder },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/local-files",
      summary: "Get the library: the full tree, or a page of one folder",
    },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-document.list",
      method: "GET",
      path: "/v1/documents",
      summary: "Get the library: the full tree, or a page of one folder",
    },
  ],
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
 * Internal: the full tree as JSON text, starting with the uploads folder; delivered through a pipe
 * that must be read immediately.
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
 * Internal: documents of one folder ordered by `docpath`; fewer than `limit` if the reply is full.
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

export const listFolders = defineOperation({
  name: "ingest.library.folders",
  service: "ingest",
  access: { who: "manager" },
  routes: [
    {
      method: "GET",
      path: "/library/folders",
      summary: "List library folders with their document counts",
    },
  ],
  input: z.object({}),
  /**
   * Sorted by path; parents are listed along with their children even if they hold no documents
   * themselves.
   */
  output: z.object({
    folders: z.array(
      z.object({
        name: z.string(),
        /** The workbook's name if the folder holds its sheets; `name` is then made unique. */
        title: z.string().nullable(),
        /** Directly in the folder, not in subfolders. */
        documents: z.number().int(),
        failed: z.number().int(),
      }),
    ),
    documents: z.number().int(),
    tags: z.array(z.string()),
  }),
});

const folderTaken: ErrorReply = {
  status: 409,
  kind: "json",
  body: { success: false, message: "$message" },
};

/** wire-contract 6.1; refusals use the wire's messages but an accurate status. */
export const createFolder = defineOperation({
  name: "ingest.library.create-folder",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "keyed",
  errors: {
    CONFLICT: folderTaken,
    BAD_INPUT: {
      status: 400,
      kind: "json",
      body: { success: false, message: "Failed to create folder: $message" },
    },
  },
  routes: [
    {
      method: "POST",
      path: "/document/create-folder",
      summary: "Create a folder",
    },
    {
      ...byKey("documents"),
      name: "gateway.developer-document.create-folder",
      method: "POST",
      path: "/v1/document/create-folder",
      summary: "Create a folder",
    },
  ],
  input: z.object({ name: z.string().max(4096) }),
  output: z.object({ success: z.boolean(), message: z.string().nullable() }),
});

export const renameFolder = defineOperation({
  name: "ingest.library.rename-folder",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "keyed",
  errors: { NOT_FOUND: folderMissing, CONFLICT: folderTaken, BAD_INPUT: folderRefused },
  routes: [
    {
      method: "POST",
      path: "/library/folders/rename",
      summary: "Rename or move a folder with everything in it",
    },
  ],
  input: z.object({ from: folderName, to: folderName }),
  output: z.object({ success: z.boolean() }),
});

/**
 * wire-contract 2.4: unknown names and `custom-documents` are ignored. Subfolders are deleted too.
 */
export const removeFolder = defineOperation({
  name: "ingest.library.remove-folder",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/remove-folder",
      summary: "Delete a folder and every document in it",
    },
    {
      ...byKey("documents"),
      name: "gateway.developer-document.remove-folder",
      method: "DELETE",
      path: "/v1/document/remove-folder",
      summary: "Delete a folder and every document in it",
      errors: { ...refusedKey, BAD_INPUT: folderRefused },
      output: z.object({ success: z.boolean(), message: z.string() }),
      success: { status: 200, kind: "json" },
      mapReply: () => ({ success: true, message: "Folder removed successfully" }),
    },
  ],
  input: z.object({ name: z.string().max(4096) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const folderContracts: Contracts = {
  operations: [
    listLocalFiles,
    openLibraryTree,
    listLibraryFolder,
    listFolders,
    createFolder,
    renameFolder,
    removeFolder,
  ],
};
