import { z } from "zod";
import { byKey, type ErrorReply } from "../error-reply.ts";
import { defineOperation, type Contracts } from "../operation.ts";
import type { DocumentKind } from "./document.ts";

/**
 * Endings of files whose content proves their kind, whatever they are called: a text named ".pdf"
 * is detected when it is parsed, and so is a PDF named ".txt".
 */
export const provenEndings = {
  pdf: ["pdf"],
  word: ["doc", "docx", "docm", "dotx", "odt", "ott", "rtf"],
  slides: ["ppt", "pptx", "pptm", "ppsx", "potx", "odp", "otp"],
  sheet: ["xls", "xlsx", "xlsm", "xltx", "xlsb", "ods", "ots"],
  book: ["epub"],
  mail: ["msg"],
  image: ["png", "jpg", "jpeg", "webp", "gif", "bmp", "tif", "tiff"],
  audio: ["mp3", "wav", "ogg", "oga", "opus", "m4a", "flac", "aac"],
  video: ["mp4", "mpeg", "mpg", "webm", "mov", "mkv", "avi"],
} satisfies Partial<Record<DocumentKind, string[]>>;

/** wire-contract 2.4: the reply if ingest is unavailable and the accepted types are unknown. */
const processorOffline = { status: 404, kind: "text", text: "Not Found" } satisfies ErrorReply;

export const noTypes = {
  TIMEOUT: processorOffline,
  UNAVAILABLE: processorOffline,
  SERVICE_LOST: processorOffline,
};

export const getProcessorStatus = defineOperation({
  name: "ingest.processor.status",
  service: "ingest",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/document-processing-status",
      summary: "Check whether documents can be processed",
    },
  ],
  input: z.object({}),
  output: z.void(),
  success: { status: 200, kind: "text" },
  errors: {
    TIMEOUT: { status: 503, kind: "text", text: "Service Unavailable" },
    UNAVAILABLE: { status: 503, kind: "text", text: "Service Unavailable" },
  },
  timeoutMs: 3_000,
});

export const listAcceptedTypes = defineOperation({
  name: "ingest.processor.types",
  service: "ingest",
  access: { who: "session" },
  errors: noTypes,
  timeoutMs: 3_000,
  routes: [
    {
      method: "GET",
      path: "/system/accepted-document-types",
      summary: "List the MIME types and extensions that can be parsed",
    },
    {
      ...byKey("read", { restrictedKeys: true }),
      name: "gateway.developer-document.types",
      method: "GET",
      path: "/v1/document/accepted-file-types",
      summary: "List the MIME types and extensions that can be parsed",
    },
  ],
  input: z.object({}),
  output: z.object({ types: z.record(z.string(), z.array(z.string())) }),
});

export const processorContracts: Contracts = {
  operations: [getProcessorStatus, listAcceptedTypes],
};
