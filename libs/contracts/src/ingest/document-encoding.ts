import { z } from "zod";
import { inWorkspace } from "../error-reply.ts";
import { defineOperation } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/** Encodings that people can choose, by their usual names; common ones first. */
export const documentEncodings = [
  "UTF-8",
  "Windows-1252",
  "Windows-1250",
  "Windows-1251",
  "Windows-1253",
  "Windows-1254",
  "Windows-1255",
  "Windows-1256",
  "Windows-1257",
  "Windows-1258",
  "Windows-874",
  "Shift_JIS",
  "EUC-JP",
  "GBK",
  "Big5",
  "EUC-KR",
  "UTF-16LE",
  "UTF-16BE",
  "ISO-8859-2",
  "ISO-8859-5",
  "ISO-8859-7",
  "ISO-8859-15",
  "KOI8-R",
  "KOI8-U",
  "CP437",
  "CP850",
  "CP852",
  "CP866",
  "Mac OS Roman",
  "Mac OS Cyrillic",
] as const;

/** Carrel-specific: the document keeps its id and its workspaces. */
export const changeEncoding = defineOperation({
  name: "ingest.document.change-encoding",
  service: "ingest",
  access: { who: "manager" },
  errors: inWorkspace,
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/library/documents/:documentId/encoding",
      summary: "Read a document again in another encoding",
    },
  ],
  input: z.object({ documentId: z.uuid(), encoding: z.enum(documentEncodings) }),
  output: z.object({ success: z.boolean() }),
});

export const documentEncodingContracts: Contracts = { operations: [changeEncoding] };
