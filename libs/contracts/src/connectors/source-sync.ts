import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { connectionRunWire } from "./connection-run-wire.ts";

/*
 * Internal: how the sync worker has documents and sources brought up to date. It says when, and
 * connectors does it.
 */

/**
 * Asks a document's source for a change, with a conditional request where the source knows them,
 * and replaces the content if there is one.
 */
export const refreshDocument = defineOperation({
  name: "connectors.document.refresh",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["ingest"],
  // A repository's archive may have to be downloaded for it.
  timeoutMs: 900_000,
  input: z.object({ documentId: z.uuid(), chunkSource: z.string() }),
  output: z.object({
    /**
     * `missing`: the source doesn't have it any more. `waiting`: the source asks to wait, or an
     * import of it is going on. `unknown`: Carrel doesn't know how to fetch it.
     */
    outcome: z.enum(["unchanged", "changed", "missing", "failed", "waiting", "unknown"]),
    /** Why it is missing, failed or unknown. */
    fault: faultWire.nullable(),
    /** For `waiting`, in seconds. */
    retryAfter: z.number().int().optional(),
  }),
});

/** Describes a source to whoever may change it, and says what its runs do with deleted items. */
export const prepareSync = defineOperation({
  name: "connectors.connection.prepare-sync",
  service: "connectors",
  access: { who: "internal", workspace: true },
  idempotency: "natural",
  input: z.object({
    connectionId: z.uuid(),
    /** Absent: unchanged. */
    keepsGone: z.boolean().optional(),
  }),
  output: z.object({ name: z.string(), connector: z.string() }),
});

/** Starts a run of a source, or returns the open one; throws `source.not-found` if it was removed. */
export const syncConnection = defineOperation({
  name: "connectors.connection.sync",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ connectionId: z.uuid() }),
  output: z.object({
    run: connectionRunWire,
    /** The open run fetches only what the one before couldn't. */
    isRetry: z.boolean(),
  }),
});

/** null if the run or its source was removed. */
export const findRun = defineOperation({
  name: "connectors.run.find",
  service: "connectors",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ runId: z.uuid() }),
  output: z.object({
    run: connectionRunWire.nullable(),
    /** The run lists everything, instead of what changed or failed. */
    isWhole: z.boolean().default(false),
  }),
});

export const connectionRemoved = defineEvent({
  name: "connection.removed",
  service: "connectors",
  consumers: ["sync-worker"],
  payload: z.object({ connectionId: z.uuid() }),
});

/** Something may have changed in a source that tells of it as it happens, such as a folder. */
export const sourceChanged = defineEvent({
  name: "source.changed",
  service: "connectors",
  consumers: ["sync-worker"],
  payload: z.object({ connectionId: z.uuid() }),
});

export const sourceSyncContracts: Contracts = {
  operations: [refreshDocument, prepareSync, syncConnection, findRun],
  events: [connectionRemoved, sourceChanged],
};
