import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";

/** Shortest and longest time between two syncs that people can choose, in seconds. */
export const minSyncInterval = 3_600;
export const maxSyncInterval = 31_536_000;

/** What happens to documents whose source has deleted them. */
export const whenGone = z.enum(["remove", "keep"]);
export type WhenGone = z.infer<typeof whenGone>;

/**
 * How a sync ended, in the wire's words (6.6). `exited`: it was given up, because the document or
 * source isn't there anymore, or because its process was lost. `unknown`: it is going on.
 */
export const syncStatus = z.enum(["success", "failed", "exited", "unknown"]);
export type SyncStatus = z.infer<typeof syncStatus>;

/** What a successful sync found. */
export const syncChange = z.enum(["unchanged", "changed", "removed"]);
export type SyncChange = z.infer<typeof syncChange>;

/** A document, or a whole source with all its documents, that is kept in sync. */
export const watchWire = z.object({
  id: z.number().int(),
  /**
   * `syncing`: right now. `stopped`: given up after too many failures; watching it again starts
   * over.
   */
  state: z.enum(["waiting", "syncing", "stopped"]),
  /** null for a whole source. */
  document: z.object({ id: z.uuid(), docpath: z.string() }).nullable(),
  /** null for a single document. */
  connectionId: z.uuid().nullable(),
  title: z.string(),
  /** Id of the connector, such as `github`; `link` for a page. */
  connector: z.string(),
  intervalSeconds: z.number().int(),
  whenGone,
  /** null while it is stopped. */
  nextSyncAt: z.string().nullable(),
  /** When it was last found to be up to date. */
  lastSyncedAt: z.string().nullable(),
  /** When its content last changed. */
  lastChangedAt: z.string().nullable(),
  /** The latest sync that has ended; null if none has. */
  lastStatus: syncStatus.nullable(),
  /** Why the latest sync failed, or what it left out. */
  fault: faultWire.nullable(),
  /** In a row; after `maxSyncFailures` it is stopped. */
  failures: z.number().int(),
  /** The source says that it no longer has the document. */
  isMissing: z.boolean(),
  /** Whether the source announces changes by webhook. */
  hasHook: z.boolean(),
  createdAt: z.string(),
});
export type WatchWire = z.infer<typeof watchWire>;

/** Consecutive failures after which nothing is watched any longer. */
export const maxSyncFailures = 5;

export const syncRunWire = z.object({
  id: z.number().int(),
  status: syncStatus,
  change: syncChange.nullable(),
  fault: faultWire.nullable(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
});
export type SyncRunWire = z.infer<typeof syncRunWire>;
