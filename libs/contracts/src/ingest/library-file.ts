import { z } from "zod";
import { byKey, refusedKey } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { fileItem } from "./document.ts";
import { folderRefused, manyPaths, pathList } from "./folder.ts";

const movedFiles = z.array(z.object({ from: z.string().max(1024), to: z.string().max(1024) }));

/**
 * Also moves documents that a workspace contains (a docpath is only a name); the wire's
 * `move-files` leaves them in place and counts them.
 */
export const moveFiles = defineOperation({
  name: "gateway.library.move-files",
  service: "gateway",
  access: { who: "manager" },
  errors: { BAD_INPUT: folderRefused },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/document/move-files",
      ...manyPaths,
      summary: "Move documents to other folders, except those that workspaces use",
    },
    {
      ...byKey("documents"),
      name: "gateway.developer-document.move-files",
      method: "POST",
      path: "/v1/document/move-files",
      ...manyPaths,
      summary: "Move documents to other folders, except those that workspaces use",
    },
  ],
  input: z.object({ files: movedFiles.max(10_000) }),
  output: z.object({ success: z.boolean(), fault: faultWire.nullish() }),
  english: { field: "message" },
});

/**
 * Internal: moves as many as fit into a request between services. `held`: a workspace contains
 * them. `failed`: the document does not exist, or the new name is invalid or taken.
 */
export const moveLibraryFiles = defineOperation({
  name: "ingest.library.move-files",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "keyed",
  input: z.object({ files: movedFiles.max(5_000) }),
  output: z.object({ moved: z.number().int(), held: z.number().int(), failed: z.number().int() }),
});

/** Unknown names are ignored, as on the wire. */
export const removeDocuments = defineOperation({
  name: "ingest.library.remove-documents",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  mount: "custom",
  routes: [
    {
      method: "DELETE",
      path: "/system/remove-documents",
      ...manyPaths,
      summary: "Delete documents by their docpath, from every workspace",
    },
    {
      ...byKey("documents"),
      name: "gateway.developer-system.remove-documents",
      method: "DELETE",
      path: "/v1/system/remove-documents",
      ...manyPaths,
      summary: "Delete documents by their docpath, from every workspace",
      errors: { ...refusedKey, BAD_INPUT: folderRefused },
      output: z.object({ success: z.boolean(), message: z.string() }),
      success: { status: 200, kind: "json" },
      mapReply: () => ({ success: true, message: "Documents removed successfully" }),
    },
  ],
  input: z.object({ names: pathList }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

export const removeDocument = defineOperation({
  name: "ingest.library.remove-document",
  service: "ingest",
  access: { who: "manager" },
  idempotency: "natural",
  routes: [
    {
      method: "DELETE",
      path: "/system/remove-document",
      summary: "Delete a document by its docpath, from every workspace",
    },
  ],
  input: z.object({ name: z.string().max(1024) }),
  output: z.void(),
  success: { status: 200, kind: "text" },
});

/** Searches names and contents; returns at most 50 documents. */
export const searchLocalFiles = defineOperation({
  name: "ingest.library.search-files",
  service: "ingest",
  access: { who: "manager" },
  routes: [
    {
      method: "GET",
      path: "/system/local-files/search",
      summary: "Search documents by name and text",
    },
  ],
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
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/system/local-files/by-docpaths",
      ...manyPaths,
      summary: "Get documents by docpath",
    },
  ],
  input: z.object({ docpaths: z.array(z.string().max(1024)).max(10_000) }),
  output: z.object({ documents: z.array(fileItem.extend({ docpath: z.string() })) }),
});

export const libraryFileContracts: Contracts = {
  operations: [
    moveFiles,
    moveLibraryFiles,
    removeDocuments,
    removeDocument,
    searchLocalFiles,
    findLocalFiles,
  ],
};
