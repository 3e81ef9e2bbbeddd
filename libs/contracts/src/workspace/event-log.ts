import { z } from "zod";
import { day, pageIndex, timeZone } from "../coercion.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";
import { nextPageCursor, pageCursor } from "../page-cursor.ts";

export const eventLogWire = z.object({
  id: z.number().int(),
  event: z.string(),
  metadata: z.string().nullable(),
  userId: z.number().int().nullable(),
  occurredAt: z.string(),
  user: z.object({ username: z.string() }),
});

/** PostgreSQL's text can't contain U+0000. */
const searchText = (longest: number) =>
  z
    .string()
    .max(longest)
    .transform((text) => text.replaceAll("\0", ""));

/** Carrel-specific filters; days include both ends and begin at midnight in `timeZone`. */
const eventFilter = z.object({
  event: searchText(100).optional(),
  /** 0: no account. */
  userId: z.coerce.number().int().min(0).max(2_147_483_647).optional(),
  from: day.optional(),
  to: day.optional(),
  timeZone,
  /** Text in the event's name or its details. */
  search: searchText(200).optional(),
});
export type EventFilter = z.infer<typeof eventFilter>;

/** Newest first; `offset` is a page number, ignored if there is a cursor. */
export const listEvents = defineOperation({
  name: "workspace.event.list",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  calls: ["auth"],
  routes: [{ method: "POST", path: "/system/event-logs", summary: "List event log entries" }],
  input: z.object({
    offset: pageIndex.default(0),
    limit: z.coerce.number().int().min(1).max(100).catch(10).default(10),
    cursor: pageCursor,
    ...eventFilter.shape,
  }),
  output: z.object({
    logs: z.array(eventLogWire),
    hasPages: z.boolean(),
    totalLogs: z.number().int(),
    nextCursor: nextPageCursor,
  }),
});

export const clearEvents = defineOperation({
  name: "workspace.event.clear",
  service: "workspace",
  access: { who: "admin" },
  routes: [
    {
      method: "DELETE",
      path: "/system/event-logs",
      summary: "Clear the event log; the clearing becomes its first entry",
    },
  ],
  input: z.object({}),
  output: z.object({ success: z.boolean() }),
});

/*
 * Carrel-specific: the log is a hash chain (docs/decisions/audit.md). Hashes and fingerprints are
 * hex, keys and signatures base64, times ISO 8601.
 */

const signingKey = z.object({ fingerprint: z.string(), publicKey: z.string() });

/** The state of the chain, and what entries can be filtered by. */
export const getEventLogState = defineOperation({
  name: "workspace.event.state",
  service: "workspace",
  access: { who: "admin" },
  calls: ["auth"],
  routes: [
    {
      method: "GET",
      path: "/system/event-logs/state",
      summary: "Get the signing key, the last anchor and the retention of the event log",
    },
  ],
  input: z.object({}),
  output: z.object({
    /** Random id of this instance's log. */
    instance: z.string(),
    /** Sequence number and hash of the newest entry. */
    sequence: z.number().int(),
    hash: z.string(),
    /** All keys that ever signed, the current one last. */
    keys: z.array(signingKey),
    lastAnchor: z
      .object({
        day: z.string(),
        sequence: z.number().int(),
        hash: z.string(),
        signedAt: z.string(),
      })
      .nullable(),
    /** The point up to which entries were removed. */
    checkpoint: z
      .object({
        reason: z.enum(["cleared", "retention"]),
        sequence: z.number().int(),
        signedAt: z.string(),
      })
      .nullable(),
    /** null: entries are kept. */
    retentionDays: z.number().int().nullable(),
    events: z.array(z.string()),
    users: z.array(z.object({ id: z.number().int(), username: z.string() })),
  }),
});

/** Days to keep entries; null or 0: until somebody clears the log. */
export const eventRetentionLabel = "event_log_retention_days";
export const longestEventRetention = 3_650;

/** Verifies what is stored; reading all of it takes some seconds per million entries. */
export const verifyEvents = defineOperation({
  name: "workspace.event.verify",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  timeoutMs: 300_000,
  routes: [{ method: "POST", path: "/system/event-logs/verify", summary: "Verify the event log" }],
  input: z.object({}),
  output: z.object({
    verified: z.boolean(),
    /** What was verified, up to the fault if there is one. */
    events: z.number().int(),
    anchors: z.number().int(),
    checkpoints: z.number().int(),
    first: z.object({ sequence: z.number().int(), occurredAt: z.string() }).nullable(),
    last: z.object({ sequence: z.number().int(), occurredAt: z.string() }).nullable(),
    lastAnchor: z.object({ day: z.string(), sequence: z.number().int() }).nullable(),
    /** Copies of anchors in the data folder that no key in the database signed; up to 100 days. */
    unknownAnchors: z.object({ count: z.number().int(), days: z.array(z.string()) }),
    /** The first entry that doesn't verify, and why. */
    fault: z
      .object({ code: z.string(), sequence: z.number().int().nullable(), reason: z.string() })
      .nullable(),
  }),
});

export const eventExportFormats = ["jsonl", "csv"] as const;

/**
 * jsonl is the whole log, which `./carrel audit verify` verifies; csv is for spreadsheets and
 * applies the filters.
 */
export const exportEvents = defineOperation({
  name: "gateway.event.export",
  service: "gateway",
  access: { who: "admin" },
  mount: "custom",
  routes: [
    {
      method: "GET",
      path: "/system/event-logs/export",
      summary: "Download the event log as JSON Lines (verifiable) or CSV (with filters)",
    },
  ],
  input: z.object({ ...eventFilter.shape, format: z.enum(eventExportFormats).default("jsonl") }),
  output: z.void(),
  success: { status: 200, kind: "bytes" },
});

const exportCursor = z
  .object({
    after: z.number().int(),
    to: z.number().int(),
    /** Day of the last anchor to include. */
    day: z.string().nullable(),
    /** The signed last line. */
    end: z.string(),
  })
  .nullable();

/** Internal: lines of the verifiable export in pages; `cursor` is for the following call. */
export const exportEventChain = defineOperation({
  name: "workspace.event.export-chain",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    cursor: exportCursor,
  }),
  output: z.object({
    lines: z.string(),
    cursor: exportCursor,
  }),
});

const exportedEvent = z.object({
  sequence: z.number().int(),
  occurredAt: z.string(),
  event: z.string(),
  userId: z.number().int().nullable(),
  username: z.string(),
  metadata: z.string(),
  hash: z.string(),
});
export type ExportedEvent = z.infer<typeof exportedEvent>;

/** Internal: entries for a spreadsheet in pages, in the order of the chain. */
export const listExportedEvents = defineOperation({
  name: "workspace.event.list-exported",
  service: "workspace",
  access: { who: "internal" },
  idempotency: "natural",
  calls: ["auth"],
  input: z.object({ ...eventFilter.shape, after: z.number().int() }),
  output: z.object({ events: z.array(exportedEvent), next: z.number().int().nullable() }),
});

/**
 * Entry for the event log: what happened, who did it (null: no signed-in user), from which address
 * and to what. Stored by the workspace service under `id`.
 */
export const eventLogged = defineEvent({
  name: "event.logged",
  service: "auth",
  consumers: ["workspace"],
  payload: z.object({
    id: z.uuid(),
    event: z.string().max(100),
    userId: z.number().int().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    occurredAt: z.string(),
  }),
});

export const eventLogContracts: Contracts = {
  operations: [
    listEvents,
    clearEvents,
    getEventLogState,
    verifyEvents,
    exportEvents,
    exportEventChain,
    listExportedEvents,
  ],
  events: [eventLogged],
};
