import { z } from "zod";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/*
 * Internal: which documents follow their sources. Ingest keeps that with the document; when and how
 * they are synced is the sync worker's.
 */

/** `stopped`: the sync worker has given it up. */
const watchState = z.enum(["active", "stopped"]);
export type WatchState = z.infer<typeof watchState>;

const watchedDocument = z.object({
  documentId: z.uuid(),
  docpath: z.string(),
  title: z.string(),
  chunkSource: z.string(),
  watch: watchState.nullable(),
  /** Who watched it last. */
  watchedBy: z.number().int().nullable(),
  /** Whether only some people may see it. An ingest that doesn't say so yet may have such ones. */
  isRestricted: z.boolean().default(true),
  /** Those that contain it. */
  workspaceIds: z.array(z.number().int()),
});
export type WatchedDocument = z.infer<typeof watchedDocument>;

/** Documents that don't exist any more are left out. */
export const describeWatched = defineOperation({
  name: "ingest.document.describe-watched",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentIds: z.array(z.uuid()).max(500) }),
  output: z.object({ documents: z.array(watchedDocument) }),
});

/** All watched documents, by id, for the sync worker's daily comparison. */
export const listWatchedIds = defineOperation({
  name: "ingest.document.list-watched-ids",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    after: z.uuid().nullable(),
    limit: z.number().int().min(1).max(500),
  }),
  output: z.object({ documentIds: z.array(z.uuid()) }),
});

/** The watched and given up documents of the workspace in scope, by id. */
export const listWatched = defineOperation({
  name: "ingest.workspace-document.list-watched",
  service: "ingest",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    after: z.uuid().nullable().default(null),
    limit: z.number().int().min(1).max(500),
    /** Only this document. */
    documentId: z.uuid().optional(),
  }),
  output: z.object({
    documents: z.array(watchedDocument),
    /** null on the last page. */
    next: z.uuid().nullable(),
  }),
});

/** Stops watching a document: given up, or for good. Nothing is announced to the sync worker. */
export const endWatch = defineOperation({
  name: "ingest.document.end-watch",
  service: "ingest",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ documentId: z.uuid(), isGivenUp: z.boolean() }),
  output: z.object({}),
});

/** Somebody watched or unwatched a document, or deleted one that was watched. */
export const documentWatchChanged = defineEvent({
  name: "document.watch-changed",
  service: "ingest",
  consumers: ["sync-worker"],
  payload: z.object({ documentIds: z.array(z.uuid()) }),
});

export const watchedDocumentContracts: Contracts = {
  operations: [describeWatched, listWatchedIds, listWatched, endWatch],
  events: [documentWatchChanged],
};
