import { z } from "zod";
import { slug } from "../coercion.ts";
import { byKey, inWorkspace, refusedOutcome, type ErrorReply } from "../error-reply.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import { workspaceDetailWire } from "../workspace/workspace.ts";
import { manyPaths, pathList } from "./folder.ts";

const uploadReply = z.object({ success: z.boolean(), error: z.string().nullable() });

/**
 * Header of an upload with the value `refuse`: a file that already exists isn't added again.
 * Existing clients don't send it, so they can add the same file as often as they like.
 */
export const identicalHeader = "Carrel-Identical";

/*
 * Routes with multipart bodies or replies that wait for jobs: controllers stream and wait, ingest
 * does the rest.
 */

export const uploadDocument = defineOperation({
  name: "gateway.document.upload",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/upload",
      summary:
        "Upload a file into the library (multipart field file); with the header `Prefer: respond-async` 202 as soon as it is stored and registered; with `Carrel-Identical: refuse` 409 if the same file is already there",
    },
  ],
  input: z.object({ slug }),
  output: uploadReply,
});

export const uploadAndEmbed = defineOperation({
  name: "gateway.document.upload-and-embed",
  service: "gateway",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: {
    ...refusedOutcome,
    WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" },
  },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/upload-and-embed",
      summary:
        "Upload a file and add it to the workspace (multipart field file); with the header `Prefer: respond-async` 202 as soon as it is stored and registered; with `Carrel-Identical: refuse` 409 if the same file is already there",
    },
  ],
  input: z.object({ slug }),
  output: uploadReply.extend({
    document: z.object({ id: z.string(), location: z.string() }).nullable(),
  }),
});

/** wire-contract 3.3. */
const refusedUpload: ErrorReply = {
  status: 400,
  kind: "json",
  body: { success: false, error: "$message" },
};

export const uploadLink = defineOperation({
  name: "gateway.document.upload-link",
  service: "gateway",
  access: { who: "manager", workspace: true, memberMay: "uploadDocuments" },
  errors: { ...inWorkspace, ...refusedOutcome, BAD_INPUT: refusedUpload },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/upload-link",
      summary: "Fetch a public web page into the library",
    },
  ],
  input: z.object({
    slug,
    link: z.string().max(8192),
    /** Carrel-specific: also adds it to the workspace. */
    embed: z.boolean().default(false),
  }),
  output: uploadReply.extend({
    document: z.object({ id: z.string(), location: z.string() }).nullable().optional(),
  }),
});

export const updateEmbeddings = defineOperation({
  name: "gateway.document.update-embeddings",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  mount: "custom",
  routes: [
    {
      method: "POST",
      path: "/workspace/:slug/update-embeddings",
      ...manyPaths,
      summary: "Add library documents to the workspace, or remove them",
    },
    {
      ...byKey("documents", { workspace: true }),
      name: "gateway.developer-workspace.update-embeddings",
      method: "POST",
      path: "/v1/workspace/:slug/update-embeddings",
      ...manyPaths,
      summary: "Add library documents to a workspace, or remove them",
      output: z.object({ workspace: workspaceDetailWire.nullable() }),
      mapReply: ({ workspace }) => ({ workspace }),
    },
  ],
  input: z.object({
    slug,
    adds: pathList.default([]),
    deletes: pathList.default([]),
  }),
  output: z.object({ workspace: z.unknown(), fault: faultWire.nullish() }),
  english: { field: "message" },
});

/** A stored original, and what its source says about it. */
export const originalInput = z.object({
  /** Content address of the original in the blob store. */
  blobKey: z.string(),
  sha256: z.string(),
  bytes: z.number().int(),
  filename: z.string().max(4096),
  mime: z.string().nullable(),
  metadata: z
    .object({
      title: z.string(),
      docAuthor: z.string(),
      description: z.string(),
      docSource: z.string(),
      chunkSource: z.string(),
      url: z.string(),
      published: z.string(),
    })
    .partial()
    .default({}),
});

/**
 * Internal: creates a document from a blob, for uploads of every kind. With `embed`, it is added to
 * the workspace in scope too.
 */
export const registerDocument = defineOperation({
  name: "ingest.document.register",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "keyed",
  calls: ["workspace"],
  input: originalInput.extend({
    /** Folder names joined by `/`. */
    folder: z.string().max(4096).optional(),
    embed: z.boolean(),
    /**
     * Fails if the folder, or the workspace with `embed`, already has a document with these bytes.
     */
    refuseIdentical: z.boolean().optional(),
    /**
     * Who may see it besides the caller, by user id, from the first moment on; absent: everyone in
     * its workspaces.
     */
    access: z.object({ readers: z.array(z.number().int()).max(20_000) }).optional(),
    /** A person's or client's own file, whose `chunkSource` is only what they say about it. */
    isUpload: z.boolean().default(false),
    /** Prepended to the file name in its docpath. */
    prefix: z.literal("raw-").optional(),
  }),
  output: z.object({
    documentId: z.string(),
    title: z.string(),
    docpath: z.string().optional(),
    /** Hash of its content. A repeated request gets the first one's, even if its content differs. */
    sha256: z.string().optional(),
  }),
});

export const uploadContracts: Contracts = {
  operations: [registerDocument, uploadDocument, uploadAndEmbed, uploadLink, updateEmbeddings],
};
