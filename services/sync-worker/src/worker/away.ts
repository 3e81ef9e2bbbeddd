import { CarrelError, type ErrorKind } from "@carrel/contracts";

/** Until what couldn't be asked, because a service was away, is tried again, in seconds. */
export const awaySeconds = 60;
/** Errors that say nothing about what is synced: connectors is away, or has too much to do. */
const awayKinds: ReadonlySet<ErrorKind> = new Set(["SERVICE_LOST", "UNAVAILABLE", "BUSY"]);

export const isAway = (error: unknown): error is CarrelError =>
  error instanceof CarrelError && awayKinds.has(error.kind);
