import { CarrelError, type ErrorKind } from "@carrel/contracts";

/** Until what couldn't be asked, because a service was away, is tried again, in seconds. */
export const awaySeconds = 60;
/** Errors that say nothing about what is synced: connectors is away, or has too much to do. */
const awayKinds: ReadonlySet<ErrorKind> = new Set(["SERVICE_LOST", "UNAVAILABLE", "BUSY"]);

export const isAway = (error: unknown): error is CarrelError =>
  error instanceof CarrelError &&
  // During an upgrade, replicas of the version before may answer.
  (awayKinds.has(error.kind) || error.code === "request.no-handler");

/** Also if it doesn't answer in time, where it doesn't ask a source for the answer. */
export const isAwayOrLate = (error: unknown): error is CarrelError =>
  isAway(error) || (error instanceof CarrelError && error.code === "request.timed-out");
