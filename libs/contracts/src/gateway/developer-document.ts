import { z } from "zod";
import type { ErrorReply } from "../error-reply.ts";
import { fileItem } from "../ingest/document.ts";
import { documentJson } from "../ingest/document-json.ts";
import { askedFolder, createFolder, refusedFolder } from "../ingest/folder.ts";
import { moveFiles, removeDocuments } from "../ingest/library-file.ts";
import { noTypes } from "../ingest/processor.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";
import { getWorkspace } from "../workspace/workspace.ts";

/*
 * Documents in the developer API, wire-contract 9.3 and 9.4: the web app's own operations, asked by
 * a key, with bodies of their own.
 */

const errors = {
  KEY_REFUSED: { status: 403, kind: "json", body: { error: "No valid api key found." } },
} satisfies Record<string, ErrorReply>;

const unknownWorkspace = {
  ...errors,
  WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
} satisfies Record<string, ErrorReply>;

/** Uploads. */
const refusable = {
  ...errors,
  BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
} satisfies Record<string, ErrorReply>;

const { code: _code, ...refusedPage } = refusedFolder.body;

const byKey = { who: "key" } as const;

const inWorkspace = { who: "key", workspace: true } as const;

const custom = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  summary: string,
  bodyLimit?: number,
) => ({
  method,
  path: `/v1${path}`,
  mount: "custom" as const,
  summary,
  ...(bodyLimit === undefined ? {} : { bodyLimit }),
});

const metadataText = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? undefined);

/** What a client may say about a document; other fields are dropped. */
export const givenMetadata = z.object({
  title: metadataText,
  docAuthor: metadataText,
  description: metadataText,
  docSource: metadataText,
  chunkSource: metadataText,
});

/** Slugs joined by commas; those of no workspace are passed over. */
const addToWorkspaces = z.string().max(100_000).nullish();

const uploaded = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  documents: z.array(documentJson),
});

export const uploadDeveloperDocument = defineOperation({
  name: "gateway.developer-document.upload",
  service: "gateway",
  access: byKey,
  errors: refusable,
  http: custom("POST", "/document/upload", "Upload a file into the library (multipart field file)"),
  input: z.object({}),
  output: uploaded,
});

export const uploadDeveloperDocumentToFolder = defineOperation({
  name: "gateway.developer-document.upload-to-folder",
  service: "gateway",
  access: byKey,
  errors: refusable,
  http: custom(
    "POST",
    "/document/upload/:folderName",
    "Upload a file into a folder, which is made when missing",
  ),
  input: z.object({ folderName: z.string().max(808) }),
  output: uploaded,
});

export const uploadDeveloperLink = defineOperation({
  name: "gateway.developer-document.upload-link",
  service: "gateway",
  access: byKey,
  errors: refusable,
  http: custom("POST", "/document/upload-link", "Fetch a web page into the library"),
  input: z.object({
    link: z.string().max(8192).default(""),
    addToWorkspaces,
    /** Sent to the page's own origin only. */ scraperHeaders: z
      .record(z.string().max(200), z.string().max(8_000))
      .nullish(),
    metadata: givenMetadata.nullish(),
  }),
  output: uploaded,
});

export const uploadDeveloperText = defineOperation({
  name: "gateway.developer-document.raw-text",
  service: "gateway",
  access: byKey,
  errors: refusable,
  http: custom("POST", "/document/raw-text", "Make a document of a text", 50 * 1024 * 1024),
  input: z.object({
    textContent: z.string().nullish(),
    addToWorkspaces,
    metadata: givenMetadata
      .extend({
        url: metadataText,
        /** Epoch in ms. */ published: z.union([z.number(), z.string().max(40)]).nullish(),
      })
      .nullish(),
  }),
  output: uploaded,
});

export const listDeveloperDocuments = defineOperation({
  name: "gateway.developer-document.list",
  service: "gateway",
  access: byKey,
  errors: { ...errors, BAD_INPUT: refusedFolder },
  http: custom("GET", "/documents", "The library: the full tree, or one folder by page"),
  input: z.object({
    folder: askedFolder,
    offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
    limit: z.union([z.literal("all"), z.coerce.number().int().min(1)]).default(100),
  }),
  output: z.unknown(),
});

export const listDeveloperFolder = defineOperation({
  name: "gateway.developer-document.folder",
  service: "gateway",
  access: byKey,
  errors: { ...errors, BAD_INPUT: { ...refusedFolder, body: refusedPage } },
  http: custom("GET", "/documents/folder/:name", "Documents of one folder"),
  input: z.object({
    name: z.string().max(808),
    offset: z.coerce.number().int().min(0).max(10_000_000).default(0),
    limit: z.union([z.literal("all"), z.coerce.number().int().min(1)]).default("all"),
  }),
  output: z.object({
    folder: z.string(),
    documents: z.array(fileItem),
    totalCount: z.number().int(),
    hasMore: z.boolean(),
    error: z.string().nullable(),
  }),
});

export const listDeveloperTypes = defineOperation({
  name: "gateway.developer-document.types",
  service: "gateway",
  access: byKey,
  errors: { ...errors, ...noTypes },
  http: custom(
    "GET",
    "/document/accepted-file-types",
    "MIME types and extensions that can be parsed",
  ),
  input: z.object({}),
  output: z.object({ types: z.record(z.string(), z.array(z.string())) }),
});

export const getMetadataSchema = defineOperation({
  name: "gateway.developer-document.metadata-schema",
  service: "gateway",
  access: byKey,
  errors,
  http: custom("GET", "/document/metadata-schema", "Metadata that raw text can have"),
  input: z.object({}),
  output: z.object({ schema: z.record(z.string(), z.string()) }),
});

export const getDeveloperDocument = defineOperation({
  name: "gateway.developer-document.get",
  service: "gateway",
  access: byKey,
  errors: { ...errors, DOCUMENT_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" } },
  http: custom("GET", "/document/:docName", "One document by its file name"),
  input: z.object({ docName: z.string().max(1024) }),
  output: z.object({ document: fileItem }),
});

export const createDeveloperFolder = defineOperation({
  name: "gateway.developer-document.create-folder",
  service: "gateway",
  access: byKey,
  errors: { ...errors, ...createFolder.errors },
  http: custom("POST", "/document/create-folder", "Make a folder"),
  input: createFolder.input,
  output: createFolder.output,
});

export const removeDeveloperFolder = defineOperation({
  name: "gateway.developer-document.remove-folder",
  service: "gateway",
  access: byKey,
  errors,
  http: custom("DELETE", "/document/remove-folder", "Delete a folder and every document in it"),
  input: z.object({ name: z.string().max(4096) }),
  output: z.object({ success: z.boolean(), message: z.string() }),
});

export const moveDeveloperFiles = defineOperation({
  name: "gateway.developer-document.move-files",
  service: "gateway",
  access: byKey,
  errors: { ...errors, ...moveFiles.errors },
  http: custom(
    "POST",
    "/document/move-files",
    "Move documents that no workspace holds into other folders",
    32 * 1024 * 1024,
  ),
  input: moveFiles.input,
  output: moveFiles.output,
});

/** Files that agents make; there are none before there are agents. */
export const getGeneratedFile = defineOperation({
  name: "gateway.developer-document.generated-file",
  service: "gateway",
  access: byKey,
  errors: { ...errors, NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  http: custom("GET", "/document/generated-files/:filename", "A file that an agent made"),
  input: z.object({ filename: z.string().max(1024) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const updateDeveloperEmbeddings = defineOperation({
  name: "gateway.developer-workspace.update-embeddings",
  service: "gateway",
  access: inWorkspace,
  errors: unknownWorkspace,
  http: custom(
    "POST",
    "/workspace/:slug/update-embeddings",
    "Add documents of the library to a workspace, or take them out",
    32 * 1024 * 1024,
  ),
  input: z.object({
    slug: z.string().min(1).max(255),
    adds: z.array(z.string().max(1024)).max(100_000).default([]),
    deletes: z.array(z.string().max(1024)).max(100_000).default([]),
  }),
  output: z.object({ workspace: getWorkspace.output.shape.workspace }),
});

export const updateDeveloperPin = defineOperation({
  name: "gateway.developer-workspace.update-pin",
  service: "gateway",
  access: inWorkspace,
  errors: {
    ...unknownWorkspace,
    DOCUMENT_NOT_FOUND: { status: 404, kind: "text", text: "Not Found" },
  },
  http: custom("POST", "/workspace/:slug/update-pin", "Pin a document of a workspace, or unpin it"),
  input: z.object({
    slug: z.string().min(1).max(255),
    docPath: z.string().max(1024),
    pinStatus: z.boolean().default(false),
  }),
  output: z.object({ message: z.string() }),
});

/** wire-contract 9.1. */
export const countDeveloperVectors = defineOperation({
  name: "gateway.developer-system.vector-count",
  service: "gateway",
  access: byKey,
  errors,
  http: custom("GET", "/system/vector-count", "Number of vectors of all workspaces"),
  input: z.object({}),
  output: z.object({ vectorCount: z.number().int() }),
});

export const removeDeveloperDocuments = defineOperation({
  name: "gateway.developer-system.remove-documents",
  service: "gateway",
  access: byKey,
  errors,
  http: custom(
    "DELETE",
    "/system/remove-documents",
    "Delete documents by their docpath, from every workspace",
    32 * 1024 * 1024,
  ),
  input: removeDocuments.input,
  output: z.object({ success: z.boolean(), message: z.string() }),
});

export const developerDocumentContracts: Contracts = {
  operations: [
    uploadDeveloperDocument,
    uploadDeveloperDocumentToFolder,
    uploadDeveloperLink,
    uploadDeveloperText,
    listDeveloperDocuments,
    listDeveloperFolder,
    listDeveloperTypes,
    getMetadataSchema,
    getDeveloperDocument,
    createDeveloperFolder,
    removeDeveloperFolder,
    moveDeveloperFiles,
    getGeneratedFile,
    updateDeveloperEmbeddings,
    updateDeveloperPin,
    countDeveloperVectors,
    removeDeveloperDocuments,
  ],
};
