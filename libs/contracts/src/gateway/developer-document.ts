import { z } from "zod";
import { refusedKey } from "../developer-route.ts";
import { fileItem } from "../ingest/document.ts";
import { documentJson } from "../ingest/document-json.ts";
import { refusedFolder } from "../ingest/folder.ts";
import { defineOperation, type ErrorReplies } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/*
 * Documents in the developer API, wire-contract 9.3 and 9.4: the web app's own operations, asked by
 * a key, with bodies of their own.
 */

/** Uploads. */
const refusable = {
  ...refusedKey,
  BAD_INPUT: { status: 400, kind: "json", body: { success: false, error: "$message" } },
} satisfies ErrorReplies;

const { code: _code, ...refusedPage } = refusedFolder.body;

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
  access: { who: "key" },
  errors: refusable,
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
  access: { who: "key" },
  errors: refusable,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/document/upload/:folderName",
      summary: "Upload a file into a folder, which is made when missing",
    },
  ],
  input: z.object({ folderName: z.string().max(808) }),
  output: uploaded,
});

export const uploadDeveloperLink = defineOperation({
  name: "gateway.developer-document.upload-link",
  service: "gateway",
  access: { who: "key" },
  errors: refusable,
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
  access: { who: "key" },
  errors: refusable,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/v1/document/raw-text",
      summary: "Make a document of a text",
      bodyLimit: 50 * 1024 * 1024,
    },
  ],
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

export const listDeveloperFolder = defineOperation({
  name: "gateway.developer-document.folder",
  service: "gateway",
  access: { who: "key" },
  errors: { ...refusedKey, BAD_INPUT: { ...refusedFolder, body: refusedPage } },
  mount: "custom",
  routes: [
    { method: "GET", path: "/v1/documents/folder/:name", summary: "Documents of one folder" },
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
  access: { who: "key" },
  errors: refusedKey,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/document/metadata-schema",
      summary: "Metadata that raw text can have",
    },
  ],
  input: z.object({}),
  output: z.object({ schema: z.record(z.string(), z.string()) }),
});

/** Files that agents make; there are none before there are agents. */
export const getGeneratedFile = defineOperation({
  name: "gateway.developer-document.generated-file",
  service: "gateway",
  access: { who: "key" },
  errors: { ...refusedKey, NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/v1/document/generated-files/:filename",
      summary: "A file that an agent made",
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
