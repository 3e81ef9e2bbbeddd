import { z } from "zod";
import { slug } from "../coercion.ts";
import { faultWire } from "../errors/error-definition.ts";
import { defineJob, defineOperation } from "../operation.ts";
import type { Contracts } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";
import { connectionRunWire } from "./connection-run-wire.ts";
import { byUploader } from "./connection.ts";

/**
 * One turn of a run: some seconds of listing and fetching. Sources take turns, so that a huge one
 * doesn't hold up the others.
 */
export const runConnection = defineJob({
  name: "connection.run",
  service: "connectors",
  queue: "connection",
  payload: z.object({ runId: z.uuid(), connectionId: z.uuid(), turn: z.number().int() }),
  attempts: 5,
  backoffMs: 1_000,
  fairBy: "connectionId",
});

/** Asks a source who may see its items, and tells ingest what changed. */
export const checkConnectionAccess = defineJob({
  name: "connection.check-access",
  service: "connectors",
  queue: "connection-access",
  payload: z.object({ connectionId: z.uuid(), version: z.number().int() }),
  attempts: 3,
  backoffMs: 1_000,
});

const runOutput = z.object({ run: connectionRunWire });
const ofConnection = z.object({ slug, connectionId: z.uuid() });
const action = (verb: string, summary: string) =>
  defineOperation({
    ...byUploader,
    name: `connectors.run.${verb}`,
    idempotency: "natural",
    routes: [
      { method: "POST", path: `/workspace/:slug/connections/:connectionId/${verb}`, summary },
    ],
    input: ofConnection,
    output: runOutput,
  });

/** Returns the open run if there is one already. */
export const startRun = action("start", "Import a source again");
export const pauseRun = action("pause", "Pause a source's import");
export const resumeRun = action("resume", "Resume a paused import");
export const cancelRun = action("cancel", "Cancel a source's import; imported documents are kept");
export const retryRun = action("retry", "Fetch again what a source's last import couldn't fetch");

export const sourceItemState = z.enum(["pending", "fetched", "unchanged", "skipped", "failed"]);

export const sourceItemWire = z.object({
  id: z.string(),
  title: z.string(),
  address: z.string(),
  state: sourceItemState,
  /** Why it was skipped or failed. */
  fault: faultWire.nullable(),
  documentId: z.string().nullable(),
  bytes: z.number().nullable(),
  updatedAt: z.string(),
});
export type SourceItemWire = z.infer<typeof sourceItemWire>;

export const listSourceItems = defineOperation({
  ...byUploader,
  calls: ["ingest"],
  name: "connectors.item.list",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/connections/:connectionId/items",
      summary: "List the items of a source's latest run, with the reasons of those left out",
    },
  ],
  input: z.object({
    slug,
    connectionId: z.uuid(),
    state: sourceItemState.optional(),
    limit: z.coerce.number().int().min(1).max(200).default(100),
    cursor: pageCursor,
  }),
  output: z.object({
    items: z.array(sourceItemWire),
    /** How often each reason occurs, most frequent first. */
    reasons: z.array(z.object({ fault: faultWire, count: z.number().int() })),
    nextCursor: nextPageCursor,
  }),
});

/** Broadcast when a run ends, with its id; wakes requests that wait for it. */
export const runEndedChannel = "connection-run-ended";

/** Where the frames of a workspace's sources are broadcast. */
export const connectionsChannel = (workspaceId: number): string => `connections:${workspaceId}`;

export const watchConnections = defineOperation({
  name: "gateway.connection.progress",
  service: "gateway",
  access: byUploader.access,
  errors: byUploader.errors,
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/workspace/:slug/connections/progress",
      summary: "Stream the progress of a workspace's imports",
    },
  ],
  input: z.object({ slug }),
  output: z.void(),
  success: { status: 200, kind: "sse" },
});

/**
 * Internal: imports from a source once, for existing clients (wire-contract 6.7): nobody sees a
 * connection, and its credential is deleted with the run.
 */
export const importOnce = defineOperation({
  name: "connectors.run.import-once",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "keyed",
  input: z.object({
    connector: z.string().max(60),
    settings: z.record(z.string(), z.unknown()),
    credential: z.record(z.string(), z.string()).optional(),
    embed: z.boolean(),
  }),
  output: z.object({ runId: z.uuid() }),
});

/** Internal: what may be chosen in a field, for existing clients. */
export const listChoicesOnce = defineOperation({
  name: "connectors.connection.choices-once",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "natural",
  timeoutMs: 60_000,
  input: importOnce.input.omit({ embed: true }).extend({ field: z.string().max(60) }),
  output: z.object({ choices: z.array(z.string()) }),
});

/** Internal: a run of `importOnce`, and its documents once it has ended. */
export const getImport = defineOperation({
  name: "connectors.run.get-import",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ runId: z.uuid() }),
  output: z.object({
    run: connectionRunWire,
    documentIds: z.array(z.string()),
    /** Why the first item that failed or was skipped did so. */
    firstFault: faultWire.nullable(),
  }),
});

export const connectionRunContracts: Contracts = {
  operations: [
    startRun,
    pauseRun,
    resumeRun,
    cancelRun,
    retryRun,
    listSourceItems,
    watchConnections,
    importOnce,
    listChoicesOnce,
    getImport,
  ],
  jobs: [runConnection, checkConnectionAccess],
};
