import { z } from "zod";
import { rowId, slug } from "../coercion.ts";
import { byUploader } from "../connectors/connection.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";
import {
  maxSyncInterval,
  minSyncInterval,
  syncRunWire,
  watchWire,
  whenGone,
} from "./watch-wire.ts";

/*
 * Carrel-specific: what is watched, when it is synced next, and how that went
 * (docs/decisions/live-sync.md). All of it is refused while live sync is off, except the list.
 */

const bySource = { ...byUploader, service: "sync-worker" } as const;
const intervalSeconds = z.number().int().min(minSyncInterval).max(maxSyncInterval);
const cut = { limit: z.coerce.number().int().min(1).max(200).default(100), cursor: pageCursor };
const pageOfWatches = z.object({
  /** Whether live sync is on. */
  enabled: z.boolean(),
  watches: z.array(watchWire),
  nextCursor: nextPageCursor,
  /** What applies unless a person chooses another interval. */
  defaultIntervalSeconds: z.number().int(),
});

export const listWatches = defineOperation({
  ...bySource,
  name: "sync-worker.watch.list",
  calls: ["ingest", "connectors"],
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/watches",
      summary: "List a workspace's watched documents and sources",
    },
  ],
  input: z.object({ slug, ...cut }),
  output: pageOfWatches,
});

export const listAllWatches = defineOperation({
  name: "sync-worker.watch.list-all",
  service: "sync-worker",
  access: { who: "admin" },
  calls: ["workspace", "ingest", "connectors"],
  errors: { BAD_INPUT: byUploader.errors.BAD_INPUT },
  routes: [
    {
      method: "GET",
      path: "/live-sync/watches",
      summary: "List all watched documents and sources of the instance",
    },
  ],
  input: z.object(cut),
  output: pageOfWatches.extend({
    watches: z.array(
      watchWire.extend({
        /** Those that contain it. */
        workspaces: z.array(z.object({ slug: z.string(), name: z.string() })),
      }),
    ),
  }),
});

const ofWatch = z.object({ slug, watchId: rowId });
const oneWatch = z.object({ watch: watchWire });
const path = "/workspace/:slug/watches/:watchId";

export const updateWatch = defineOperation({
  ...bySource,
  name: "sync-worker.watch.update",
  idempotency: "natural",
  calls: ["ingest", "connectors"],
  routes: [
    {
      method: "PUT",
      path,
      summary: "Change how often something is synced, and what happens once its source deletes it",
    },
  ],
  input: ofWatch.extend({
    intervalSeconds: intervalSeconds.optional(),
    whenGone: whenGone.optional(),
  }),
  output: oneWatch,
});

/** Does nothing while it is being synced. */
export const syncNow = defineOperation({
  ...bySource,
  name: "sync-worker.watch.sync",
  idempotency: "natural",
  calls: ["ingest", "connectors"],
  routes: [{ method: "POST", path: `${path}/sync`, summary: "Sync something as soon as possible" }],
  input: ofWatch,
  output: oneWatch,
});

export const listSyncRuns = defineOperation({
  ...bySource,
  name: "sync-worker.run.list",
  calls: ["ingest", "connectors"],
  routes: [
    { method: "GET", path: `${path}/runs`, summary: "List the latest syncs of something watched" },
  ],
  input: ofWatch,
  output: z.object({ runs: z.array(syncRunWire) }),
});

/** Additions, changes, moves and deletions of the source are then followed. */
export const watchSource = defineOperation({
  ...bySource,
  name: "sync-worker.source.watch",
  idempotency: "natural",
  calls: ["connectors"],
  routes: [
    {
      method: "PUT",
      path: "/workspace/:slug/connections/:connectionId/watch",
      summary: "Watch a whole source for changes, or stop watching it",
    },
  ],
  input: z.object({
    slug,
    connectionId: z.uuid(),
    watched: z.boolean(),
    /** Absent: unchanged, or the default. */
    intervalSeconds: intervalSeconds.optional(),
    /** Absent: unchanged, or `remove`. */
    whenGone: whenGone.optional(),
  }),
  /** null once it isn't watched. */
  output: z.object({ watch: watchWire.nullable() }),
});

/**
 * Something was given up after `maxSyncFailures`, or its document deleted with its source; once for
 * each workspace that holds it.
 */
export const syncStopped = defineEvent({
  name: "sync.stopped",
  service: "sync-worker",
  consumers: ["workspace"],
  payload: z.object({
    /** The event's ID, so that redelivery changes nothing. */
    id: z.uuid(),
    workspaceId: z.number().int(),
    documentId: z.uuid().nullable(),
    connectionId: z.uuid().nullable(),
    title: z.string(),
    isRemoved: z.boolean(),
    fault: faultWire,
    /** ISO 8601. */
    at: z.string(),
  }),
});

/** The same, once, for the person who had it watched. */
export const syncGivenUp = defineEvent({
  name: "sync.given-up",
  service: "sync-worker",
  consumers: ["workspace"],
  payload: z.object({
    /** The event's ID, so that redelivery changes nothing. */
    id: z.uuid(),
    /** null: the one person of an instance without accounts. */
    userId: z.number().int().nullable(),
    /** Where to see it; null if no workspace holds it. */
    workspaceId: z.number().int().nullable(),
    documentId: z.uuid().nullable(),
    connectionId: z.uuid().nullable(),
    /** null if its readers are restricted. */
    title: z.string().nullable(),
    isRemoved: z.boolean(),
    fault: faultWire,
    /** ISO 8601. */
    at: z.string(),
  }),
});

export const watchContracts: Contracts = {
  operations: [listWatches, listAllWatches, updateWatch, syncNow, listSyncRuns, watchSource],
  events: [syncStopped, syncGivenUp],
};
