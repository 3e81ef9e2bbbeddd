import {
  createHook,
  deliverHook,
  findHookSecret,
  listAllWatches,
  listSyncQueues,
  listSyncRuns,
  listWatches,
  removeHook,
  syncNow,
  updateWatch,
  watchSource,
  type SyncQueueWire,
  type SyncRunWire,
  type WatchWire,
} from "@carrel/contracts";
import { documentId } from "./fixture-answers.ts";
import type { TestInstance } from "./instance.ts";
import { json, row, text, type Row } from "./wire-row.ts";

const at = "2026-11-29T00:00:00.000Z";
const connectionId = "0b7d2c7e-3c52-4b6a-9a53-000000000011";
const week = 604_800;

const watch: WatchWire = {
  id: 3,
  state: "waiting",
  document: { id: documentId, docpath: "custom-documents/a.json" },
  connectionId: null,
  title: "a.html",
  connector: "link",
  intervalSeconds: week,
  whenGone: "keep",
  nextSyncAt: at,
  lastSyncedAt: at,
  lastChangedAt: null,
  lastStatus: "failed",
  fault: { code: "source.missing", params: { host: "a.example" } },
  failures: 1,
  isMissing: true,
  hasHook: false,
  createdAt: at,
};
const run: SyncRunWire = {
  id: 9,
  status: "success",
  change: "unchanged",
  fault: null,
  startedAt: at,
  endedAt: at,
};
// wire-contract 6.6.
const queue: SyncQueueWire = {
  id: 3,
  staleAfterMs: week * 1_000,
  nextSyncAt: at,
  createdAt: at,
  lastSyncedAt: at,
  workspaceDocId: 7,
  workspaceDoc: {
    id: 7,
    docId: documentId,
    filename: "a.json",
    docpath: "custom-documents/a.json",
    workspaceId: 1,
    metadata: "{}",
    pinned: false,
    watched: true,
    createdAt: at,
    lastUpdatedAt: at,
    workspace: { id: 1, name: "W", slug: "w" },
  },
};
const hook = { path: `/api/hooks/${connectionId}`, secret: "s" };
const page = { enabled: true, nextCursor: null, defaultIntervalSeconds: week };

export function answerSyncRows({ syncWorker }: TestInstance): void {
  syncWorker
    .answer(listSyncQueues, { queues: [queue] })
    .answer(listWatches, { ...page, watches: [watch] })
    .answer(listAllWatches, {
      ...page,
      watches: [{ ...watch, workspaces: [{ slug: "w", name: "W" }] }],
    })
    .answer(updateWatch, { watch })
    .answer(syncNow, { watch })
    .answer(listSyncRuns, { runs: [run] })
    .answer(watchSource, { watch: null })
    .answer(createHook, hook)
    .answer(removeHook, { success: true })
    .answer(findHookSecret, { secret: hook.secret })
    .answer(deliverHook, {});
}

const toggle = (updatedStatus: unknown, liveSyncEnabled: boolean): Row =>
  row(
    "gateway.live-sync.toggle",
    ["POST", "/experimental/toggle-live-sync", { updatedStatus }],
    200,
    json,
    { body: { liveSyncEnabled } },
  );
const watches = "/workspace/w/watches";
const hookPath = `/workspace/w/connections/${connectionId}/hook`;

/** Live sync of existing clients, and Carrel's own. */
export const syncRows: Row[] = [
  toggle(true, true),
  toggle("enabled", true),
  toggle(1, false),
  toggle(undefined, false),
  row("sync-worker.queue.list", ["GET", "/experimental/live-sync/queues"], 200, json, {
    body: { queues: [queue] },
  }),
  row("sync-worker.watch.list", ["GET", watches], 200, json, {
    body: { ...page, watches: [watch] },
  }),
  row("sync-worker.watch.list-all", ["GET", "/live-sync/watches"], 200, json, {
    body: { ...page, watches: [{ ...watch, workspaces: [{ slug: "w", name: "W" }] }] },
  }),
  row("sync-worker.watch.update", ["PUT", `${watches}/3`, { intervalSeconds: 3_600 }], 200, json, {
    body: { watch },
  }),
  row("sync-worker.watch.update", ["PUT", `${watches}/3`, { intervalSeconds: 3_599 }], 400, json),
  row("sync-worker.watch.sync", ["POST", `${watches}/3/sync`, {}], 200, json, { body: { watch } }),
  row("sync-worker.run.list", ["GET", `${watches}/3/runs`], 200, json, { body: { runs: [run] } }),
  row(
    "sync-worker.source.watch",
    ["PUT", `/workspace/w/connections/${connectionId}/watch`, { watched: false }],
    200,
    json,
    { body: { watch: null } },
  ),
  row("sync-worker.hook.create", ["POST", hookPath, {}], 200, json, { body: hook }),
  row("sync-worker.hook.remove", ["DELETE", hookPath], 200, json, { body: { success: true } }),
  // Nothing signs it.
  row("gateway.hook.receive", ["POST", `/hooks/${connectionId}`, { a: 1 }], 404, text, {
    body: "Not Found",
  }),
  row("gateway.hook.receive", ["POST", "/hooks/nothing", "not json"], 404, text, {
    body: "Not Found",
  }),
];
