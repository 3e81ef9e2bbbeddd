import { z } from "zod";
import { defineJob } from "../operation.ts";
import type { Contracts } from "../registry.ts";

/*
 * Ids and versions are those of the rows; handlers read the row again and skip what is no longer
 * due. Workspaces take turns.
 */
/** Whose the work is; absent: the library's. */
const waitsFor = z.number().int().optional();

export const parseDocument = defineJob({
  name: "document.parse",
  service: "ingest",
  queue: "parse",
  payload: z.object({ documentId: z.string(), version: z.number().int(), workspaceId: waitsFor }),
  fairBy: "workspaceId",
  attempts: 3,
  backoffMs: 1_000,
});

/** `parseDocument` for a document whose pages are pictures of text. */
export const recogniseDocument = defineJob({
  name: "document.recognise",
  service: "ingest",
  queue: "recognise",
  payload: z.object({ documentId: z.string(), version: z.number().int(), workspaceId: waitsFor }),
  fairBy: "workspaceId",
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
  jobs: [parseDocument, recogniseDocument, indexDocument, embedDocument, sweepIndex],
};
