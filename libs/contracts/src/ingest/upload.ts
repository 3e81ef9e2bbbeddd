import { z } from "zod";
import { slug } from "../coercion.ts";
import { type ErrorReply, inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

const uploadReply = z.object({ success: z.boolean(), error: z.string().nullable() });

/*
 * Routes whose bodies are multipart or whose answer waits for jobs: the controllers stream and
 * wait, ingest does the rest.
 */
export const uploadDocument = defineOperation({
  name: "gateway.document.upload",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: inWorkspace,
  http: {
    method: "POST",
    path: "/workspace/:slug/upload",
    mount: "custom",
    summary:
      "Upload a file into the library (multipart field file); with the header `Prefer: respond-async` 202 as soon as it is stored and registered",
  },
  input: z.object({ slug }),
  output: uploadReply,
});

export const uploadAndEmbed = defineOperation({
  name: "gateway.document.upload-and-embed",
  service: "gateway",
  access: { who: "manager", workspace: true },
  errors: { WORKSPACE_NOT_FOUND: { status: 400, kind: "text", text: "Bad Request" } },
  http: {
    method: "POST",
    path: "/workspace/:slug/upload-and-embed",
    mount: "custom",
    summary:
      "Upload a file and add it to the workspace (multipart field file); with the header `Prefer: respond-async` 202 as soon as it is stored and registered",
  },
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
  access: { who: "manager", workspace: true },
  errors: { ...inWorkspace, BAD_INPUT: refusedUpload },
  http: {
    method: "POST",
    path: "/workspace/:slug/upload-link",
    mount: "custom",
    summary: "Fetch a public web page into the library",
  },
  input: z.object({
    slug,
    link: z.string().max(8192),
    /** Ours: also add it to the workspace. */ embed: z.boolean().default(false),
  }),
  output: uploadReply.extend({
    document: z.object({ id: z.string(), location: z.string() }).nullable().optional(),
  }),
});

export const uploadContracts: Contracts = {
  operations: [uploadDocument, uploadAndEmbed, uploadLink],
};
