import { z } from "zod";
import { workspaceDocumentWire } from "../ingest/workspace-document.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/*
 * Live sync as existing clients know it (wire-contract 6.6). Watching a document is
 * `updateWatchStatus`, because ingest owns its documents.
 */

/** Anything but true and "enabled" turns it off. Watched documents stay watched meanwhile. */
export const toggleLiveSync = defineOperation({
  name: "gateway.live-sync.toggle",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  idempotency: "natural",
  routes: [
    {
      method: "POST",
      path: "/experimental/toggle-live-sync",
      summary: "Turn live sync of documents on or off",
    },
  ],
  input: z.object({ updatedStatus: z.unknown().optional() }),
  output: z.object({ liveSyncEnabled: z.boolean() }),
});

/** One watched document with one of the workspaces that contain it. */
export const syncQueueWire = z.object({
  id: z.number().int(),
  staleAfterMs: z.number().int(),
  nextSyncAt: z.string(),
  createdAt: z.string(),
  lastSyncedAt: z.string(),
  workspaceDocId: z.number().int(),
  workspaceDoc: workspaceDocumentWire.extend({
    workspace: z.object({ id: z.number().int(), name: z.string(), slug: z.string() }),
  }),
});
export type SyncQueueWire = z.infer<typeof syncQueueWire>;

/** Refused while live sync is off. */
export const listSyncQueues = defineOperation({
  name: "sync-worker.queue.list",
  service: "sync-worker",
  access: { who: "admin" },
  calls: ["workspace", "ingest"],
  routes: [
    {
      method: "GET",
      path: "/experimental/live-sync/queues",
      summary: "List the documents that are watched for changes",
    },
  ],
  input: z.looseObject({}),
  output: z.object({ queues: z.array(syncQueueWire) }),
});

export const liveSyncContracts: Contracts = { operations: [toggleLiveSync, listSyncQueues] };
