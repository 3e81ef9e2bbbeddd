import type { InstanceConfig } from "@carrel/config";
import { minSyncInterval } from "@carrel/contracts";
import { z } from "zod";

const week = 7 * 24 * 60 * 60;
const seconds = z.coerce.number().positive().max(315_360_000);

/** Environment variables specific to this service. */
export const syncWorkerShape = {
  /** Time between two syncs unless a person chooses another; may be shorter than people can choose. */
  CARREL_SYNC_STALE_SECONDS: seconds.optional(),
  /** How often the worker looks for what is due. */
  CARREL_SYNC_POLL_SECONDS: z.coerce.number().positive().max(3_600).default(60),
  /** How long a replica may be silent before another one repeats what it was syncing. */
  CARREL_SYNC_LEASE_SECONDS: z.coerce.number().min(1).max(600).default(30),
  /** The interval of existing set-ups, in ms; at least an hour, as there. */
  DOCUMENT_SYNC_STALE_AFTER_MS: z.coerce.number().positive().optional().catch(undefined),
} satisfies z.ZodRawShape;

export type SyncWorkerConfig = InstanceConfig &
  Readonly<z.output<z.ZodObject<typeof syncWorkerShape>>>;

/** The interval of what no person has chosen one for, in seconds. */
export function defaultInterval({
  CARREL_SYNC_STALE_SECONDS: own,
  DOCUMENT_SYNC_STALE_AFTER_MS: existing,
}: Pick<SyncWorkerConfig, "CARREL_SYNC_STALE_SECONDS" | "DOCUMENT_SYNC_STALE_AFTER_MS">): number {
  if (own !== undefined) return own;
  return existing === undefined ? week : Math.max(minSyncInterval, existing / 1_000);
}
