import { z } from "zod";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Signed URL of the original, valid for 60 seconds; null if no original was kept. */
export const signOriginal = defineOperation({
  name: "ingest.library.original",
  service: "ingest",
  access: { who: "manager" },
  errors: { DOCUMENT_NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } } },
  routes: [
    {
      method: "GET",
      path: "/library/documents/:documentId/original",
      summary: "Get a short-lived URL of a document's original",
    },
  ],
  input: z.object({ documentId: z.uuid() }),
  output: z.object({ url: z.string().nullable() }),
});

export const downloadOriginal = defineOperation({
  name: "gateway.document.original",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/blob/:token",
      summary: "Download an original by its signed, short-lived URL",
    },
  ],
  input: z.object({ token: z.string().max(2048) }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

/** TIFF only: browsers show pictures in other formats themselves. */
export const showOriginalPage = defineOperation({
  name: "gateway.document.page",
  service: "gateway",
  access: { who: "public" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/blob/:token/pages/:page",
      summary: "Get a page of a scan (TIFF) as WebP by the original's signed URL",
    },
  ],
  input: z.object({
    token: z.string().max(2048),
    page: z.coerce.number().int().min(1).max(100_000),
  }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

export const originalContracts: Contracts = {
  operations: [signOriginal, downloadOriginal, showOriginalPage],
};
