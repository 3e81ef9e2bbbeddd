import { z } from "zod";
import { refusedKey } from "../error-reply.ts";
import { documentJson, fileItem } from "../ingest/document.ts";
import { refusedFolder } from "../ingest/folder.ts";
import { defineOperation, type Contracts, type ErrorReplies } from "../operation.ts";

/*
 * Documents in the developer API (wire-contract 9.3 and 9.4): the web app's operations, called with
 * a key and with bodies specific to this API.
 */

/** Error replies of uploads. */
const refusedUpload = {
  ...refusedKey,
  BAD_INPUT: {
    status: 400,
    kind: "json",
    body: { success: false, error: "$message", documents: [] },
  },
} satisfies ErrorReplies;

const { code: _code, ...refusedPage } = refusedFolder.body;

const metadataText = z
  .string()
  .max(2_000)
  .nullish()
  .transform((value) => value ?? undefined);

/** Metadata a client may set on a document; other fields are dropped. */
export const uploadMetadata = z.object({
  title: metadataText,
  docAuthor: metadataText,
  description: metadataText,
  docSource: metadataText,
  chunkSource: metadataText,
});

/** Comma-separated slugs; unknown workspaces are ignored. Anything else becomes false. */
const addToWorkspaces = z
  .union([
    z.string().max(100_000),
    z
      .unknown()
      .transform(() => false as const)
      // Anything else is refused with 422.
      .meta({ type: "null" }),
  ])
  .nullish();

const uploaded = z.object({
  success: z.boolean(),
  error: z.string().nullable(),
  documents: z.array(documentJson),
});

export const uploadDeveloperDocument = defineOperation({
  name: "gateway.developer-document.upload",
  service: "gateway",
  access: { who: "key", scope: "documents", restrictedKeys: true },
  errors: refusedUpload,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/document/upload",
      summary: "Upload a file into the library (multipart field file)",
    },
  ],
  input: z.object({}),
  output: uploaded,
});

export const uploadDeveloperDocumentToFolder = defineOperation({
  name: "gateway.developer-document.upload-to-folder",
  service: "gateway",
  access: { who: "key", scope: "documents", restrictedKeys: true },
  errors: refusedUpload,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/document/upload/:folderName",
      summary: "Upload a file to a folder, creating it if missing",
    },
  ],
  input: z.object({ folderName: z.string().max(808) }),
  output: uploaded,
});

export const uploadDeveloperLink = defineOperation({
  name: "gateway.developer-document.upload-link",
  service: "gateway",
  access: { who: "key", scope: "documents", restrictedKeys: true },
  errors: refusedUpload,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/document/upload-link",
      summary: "Fetch a web page into the library",
    },
  ],
  input: z.object({
    link: z.string().max(8192).default(""),
    addToWorkspaces,
    /** Sent only to the page's own origin. */
    scraperHeaders: z.record(z.string().max(200), z.string().max(8_000)).nullish(),
    metadata: uploadMetadata.nullish(),
  }),
  output: uploaded,
});

/** A text and its title; other metadata is dropped. */
export const rawText = z.object({
  textContent: z.string().nullish(),
  metadata: uploadMetadata
    .extend({
      url: metadataText,
      /** Unix time in milliseconds. */
      published: z.union([z.number(), z.string().max(40)]).nullish(),
    })
    .nullish(),
});
export const rawTextLimit = 50 * 1024 * 1024;

export const uploadDeveloperText = defineOperation({
  name: "gateway.developer-document.raw-text",
  service: "gateway",
  access: { who: "key", scope: "documents", restrictedKeys: true },
  errors: refusedUpload,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/document/raw-text",
      summary: "Create a document from text",
      bodyLimit: rawTextLimit,
    },
  ],
  input: rawText.extend({ addToWorkspaces }),
  output: uploaded,
});

export const listDeveloperFolder = defineOperation({
  name: "gateway.developer-document.folder",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: { ...refusedKey, BAD_INPUT: { ...refusedFolder, body: refusedPage } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/documents/folder/:name",
      summary: "List the documents of a folder",
    },
  ],
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

export const getMetadataSchema = defineOperation({
  name: "gateway.developer-document.metadata-schema",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: refusedKey,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/document/metadata-schema",
      summary: "Get the metadata schema for raw text",
    },
  ],
  input: z.object({}),
  output: z.object({ schema: z.record(z.string(), z.string()) }),
});

/** A file that an agent made in a conversation of the key's workspaces (wire-contract 5.7). */
export const getGeneratedFile = defineOperation({
  name: "gateway.developer-document.generated-file",
  service: "gateway",
  access: { who: "key", scope: "read", restrictedKeys: true },
  errors: { ...refusedKey, NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/document/generated-files/:filename",
      summary: "Download a file generated by an agent",
    },
  ],
  input: z.object({ filename: z.string().max(1024) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const developerDocumentContracts: Contracts = {
  operations: [
    uploadDeveloperDocument,
    uploadDeveloperDocumentToFolder,
    uploadDeveloperLink,
    uploadDeveloperText,
    listDeveloperFolder,
    getMetadataSchema,
    getGeneratedFile,
  ],
};
