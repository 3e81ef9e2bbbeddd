import { z } from "zod";
import { faultWire } from "../errors/error-definition.ts";

export const connectionRunState = z.enum([
  "queued",
  "running",
  "paused",
  "cancelled",
  "finished",
  "failed",
]);
export type ConnectionRunState = z.infer<typeof connectionRunState>;

/** One pass over a source. `finished` also if some items failed: their reasons are listed. */
export const connectionRunWire = z.object({
  id: z.uuid(),
  connectionId: z.uuid(),
  state: connectionRunState,
  /** Whether the source has been listed to its end, so that `found` is final. */
  isListed: z.boolean(),
  found: z.number().int(),
  fetched: z.number().int(),
  unchanged: z.number().int(),
  skipped: z.number().int(),
  failed: z.number().int(),
  /** Documents that were deleted, because the source no longer has them or they are left out now. */
  removed: z.number().int(),
  /** Total size of the fetched items. */
  bytes: z.number(),
  startedBy: z.number().int().nullable(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  /** The source asked Carrel to wait until then; null if it didn't. */
  waitsUntil: z.string().nullable(),
  /** Why it failed; null unless `failed`. */
  fault: faultWire.nullable(),
});
export type ConnectionRunWire = z.infer<typeof connectionRunWire>;

/**
 * Frame of the stream of a workspace's runs: the run as it is now, about once a second while it
 * moves. Rate and time left follow from two of them.
 */
export type ConnectionFrame =
  | { type: "connection_run"; run: ConnectionRunWire }
  | { type: "connection_changed"; connectionId: string }
  | { type: "connection_removed"; connectionId: string }
  /** Something watched was synced, or is watched in another way: `listWatches` has changed. */
  | { type: "watches_changed" };
