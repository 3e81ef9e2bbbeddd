import { z } from "zod";
import { integerOr, textOrEmpty } from "../coercion.ts";
import type { ErrorReply } from "../error-reply.ts";
import { errorKinds } from "../errors/error-definition.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";

/*
 * Imports of existing clients (wire-contract 6.7): one request that lasts until everything is
 * imported into the library. These clients look only at the body. They know no permissions, so what
 * they import isn't restricted to those who may see it at the source.
 */

const reason: ErrorReply = {
  status: 200,
  kind: "json",
  body: { success: false, data: null, reason: "$message" },
};
/** A caller without the right to import gets what every route answers. */
const authentication = ["UNAUTHENTICATED", "FORBIDDEN", "KEY_REFUSED", "KEY_FORBIDDEN"];

/** For every route of this kind. */
export const importErrors = Object.fromEntries(
  errorKinds.filter((kind) => !authentication.includes(kind)).map((kind) => [kind, reason]),
);

const importFrom = {
  service: "gateway",
  access: { who: "manager", proof: "none" },
  mount: "custom",
  errors: importErrors,
} as const;

export const importWebsite = defineOperation({
  ...importFrom,
  name: "gateway.connector.website",
  routes: [
    {
      method: "POST",
      path: "/ext/website-depth",
      summary: "Import the pages of a website into the library",
    },
  ],
  input: z.object({
    url: z.string().max(1_000),
    depth: integerOr(1, (depth) => Math.min(10, Math.max(0, depth))).default(1),
    maxLinks: integerOr(20, (links) => Math.min(5_000, Math.max(1, links))).default(20),
  }),
  output: z.object({
    success: z.boolean(),
    /** Documents as in wire-contract 6.2; null if none was imported. */
    data: z.array(z.looseObject({})).nullable(),
    /** Why nothing was imported. */
    reason: z.string().optional(),
  }),
});

export const importYoutube = defineOperation({
  ...importFrom,
  name: "gateway.connector.youtube",
  routes: [
    {
      method: "POST",
      path: "/ext/youtube/transcript",
      summary: "Import the transcript of a YouTube video into the library",
    },
  ],
  input: z.object({ url: z.string().max(1_000) }),
  output: z.object({
    success: z.boolean(),
    /** null if nothing was imported. */
    data: z.object({ title: z.string(), author: z.string(), destination: z.string() }).nullable(),
    reason: z.string().nullable(),
  }),
});

export const importPaperless = defineOperation({
  ...importFrom,
  name: "gateway.connector.paperless-ngx",
  routes: [
    {
      method: "POST",
      path: "/ext/paperless-ngx",
      summary: "Import the documents of Paperless-ngx into the library, for everyone",
    },
  ],
  input: z.object({ baseUrl: z.string().max(1_000), apiToken: textOrEmpty(5_000) }),
  output: z.object({
    success: z.boolean(),
    /** null if nothing was imported. */
    data: z.object({ files: z.number().int(), destination: z.string() }).nullable(),
    reason: z.string().nullable(),
  }),
});

export const wireImportContracts: Contracts = {
  operations: [importWebsite, importYoutube, importPaperless],
};
