import { z } from "zod";
import { defineEvent, defineJob, type Contracts } from "../operation.ts";

/**
 * A document of a workspace became searchable, or failed. Only recorded while a webhook wants it
 * (`webhooksChanged`).
 */
export const documentFinished = defineEvent({
  name: "document.finished",
  service: "ingest",
  consumers: ["workspace"],
  payload: z.object({
    /** The event's ID, so that redelivery changes nothing. */
    id: z.uuid(),
    workspaceId: z.number().int(),
    documentId: z.uuid(),
    title: z.string(),
    /** As in the document lists of existing clients: folder and file. */
    docpath: z.string(),
    state: z.enum(["ready", "failed"]),
    /** As stored: a fault as JSON, or text. */
    reason: z.string().nullable(),
    /** ISO 8601. */
    at: z.string(),
  }),
});

/*
 * Ids and versions are those of the rows; handlers re-read the row and skip work that is no longer
 * due. People or, without accounts, workspaces take turns.
 */
/** Workspace the work is for; absent: the library. */
const waitsFor = z.number().int().optional();
const unparsed = z.object({
  documentId: z.string(),
  version: z.number().int(),
  workspaceId: waitsFor,
  /** Whose turn it takes (ingest's `ownerOf`); absent in jobs of older versions. */
  owner: z.string().optional(),
});

export const parseDocument = defineJob({
  name: "document.parse",
  service: "ingest",
  queue: "parse",
  payload: unparsed,
  fairBy: "owner",
  attempts: 3,
  backoffMs: 1_000,
});

/** `parseDocument` for documents whose pages are images of text (OCR). */
export const recogniseDocument = defineJob({
  name: "document.recognise",
  service: "ingest",
  queue: "recognise",
  payload: unparsed,
  fairBy: "owner",
  attempts: 3,
  backoffMs: 1_000,
});

/** `parseDocument` for recordings, which a model transcribes. */
export const transcribeDocument = defineJob({
  name: "document.transcribe",
  service: "ingest",
  queue: "transcribe",
  payload: unparsed,
  fairBy: "owner",
  attempts: 3,
  backoffMs: 5_000,
});

/** `parseDocument` for slow files, whose parsing was stopped because it held up others. */
export const parseSlowDocument = defineJob({
  name: "document.parse-slow",
  service: "ingest",
  queue: "parse-slow",
  payload: unparsed,
  fairBy: "owner",
  attempts: 3,
  backoffMs: 1_000,
});

export const indexDocument = defineJob({
  name: "document.index",
  service: "ingest",
  queue: "index",
  payload: z.object({
    workspaceDocumentId: z.number().int(),
    version: z.number().int(),
    workspaceId: waitsFor,
  }),
  fairBy: "workspaceId",
  attempts: 5,
  backoffMs: 1_000,
});

export const embedDocument = defineJob({
  name: "document.embed",
  service: "ingest",
  queue: "embed",
  payload: z.object({
    workspaceDocumentId: z.number().int(),
    version: z.number().int(),
    workspaceId: waitsFor,
  }),
  fairBy: "workspaceId",
  attempts: 5,
  backoffMs: 2_000,
});

export const sweepIndex = defineJob({
  name: "index.sweep",
  service: "ingest",
  queue: "sweep",
  payload: z.object({ workspaceId: z.number().int(), version: z.number().int() }),
  attempts: 5,
  backoffMs: 2_000,
});

export const documentJobContracts: Contracts = {
  jobs: [
    parseDocument,
    recogniseDocument,
    transcribeDocument,
    parseSlowDocument,
    indexDocument,
    embedDocument,
    sweepIndex,
  ],
  events: [documentFinished],
};
