import { CarrelError } from "@carrel/contracts";
import { metrics } from "@carrel/observability";

/** What a service writes to. */
export type WrittenPlace = "files" | "postgresql" | "redis" | "search index";

/** A file system or a quota is full; Node has no name for Linux's error 122, an exceeded quota. */
const fileCodes = new Set(["ENOSPC", "EDQUOT", "Unknown system error -122"]);
/** PostgreSQL's code for a full disk. */
const diskFull = "53100";
/** PostgreSQL's internal and I/O errors, as which it reports an exceeded quota. */
const systemErrors = new Set(["XX000", "58030"]);
/** How PostgreSQL ends a message with the operating system's reason. */
const postgresReason = /: (?:no space left on device|disk quota exceeded)$/i;
/** LanceDB's errors of files. What it says of a query or a row, which may quote a text, begins otherwise. */
const lanceReason =
  /^(?:lance error: )?LanceError\((?:IO\)|.*LanceError\(IO\)).*(?:no space left on device|disk quota exceeded)/is;
/** How Node begins the message; on its way from a worker thread, an error loses its code. */
const fileReason = /^(?:ENOSPC|EDQUOT): /;

const full = metrics.counter(
  "carrel_storage_full_total",
  "Writes that failed because a disk or a quota was full, by what was written to",
  ["place"],
);

// Otherwise the first failure would be the start of a series, which no rate sees.
for (const place of ["files", "postgresql", "redis", "search index"] satisfies WrittenPlace[])
  full.inc({ place }, 0);

/** Whether Redis refused a command because it reached its limit of memory. */
export const isRedisOutOfMemory = (error: unknown): boolean =>
  isReplyError(error) && error.message.startsWith("OOM ");

/** An error that Redis replied with. */
export const isReplyError = (error: unknown): error is Error =>
  error instanceof Error && error.name === "ReplyError";

/**
 * Where a write failed because there was no space, or null for any other error. Looks through the
 * causes of wrapped errors. Words count only in errors that can't quote a user's text: a job that
 * fails because of one would be repeated without end.
 */
function findFullPlace(error: unknown): WrittenPlace | null {
  let isOfVectorStore = false;
  for (let at = error, depth = 0; at instanceof Error && depth < 6; at = at.cause, depth++) {
    isOfVectorStore ||= at.name === "VectorStoreError";
    const { code = "", severity } = at as NodeJS.ErrnoException & { severity?: string };
    if (fileCodes.has(code) || (code === "" && fileReason.test(at.message))) return "files";
    // A vector store's PostgreSQL is another server, which reports itself.
    if (!isOfVectorStore && isPostgresFull(code, severity, at.message)) return "postgresql";
    // Redis refuses all writes since it couldn't save one, whatever the reason.
    if (isReplyError(at) && at.message.startsWith("MISCONF ")) return "redis";
    if (lanceReason.test(at.message)) return "search index";
  }
  return null;
}

const isPostgresFull = (code: string, severity: string | undefined, message: string): boolean =>
  code === diskFull ||
  (severity !== undefined && systemErrors.has(code) && postgresReason.test(message));

type Listener = (place: WrittenPlace) => void;
const listeners = new Set<Listener>();

/** Calls `listener` whenever this process couldn't write; returns a function that stops this. */
export function onStorageFull(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Errors may pass several places that ask. */
const counted = new WeakSet<object>();

/** Whether a write failed because there was no space. Counts it, and tells who watches. */
export function isStorageFull(error: unknown): boolean {
  if (error instanceof CarrelError) return error.code === "request.storage-full";
  const place = findFullPlace(error);
  if (place === null) return false;
  if (counted.has(error as object)) return true;
  counted.add(error as object);
  full.inc({ place });
  for (const listener of listeners) listener(place);
  return true;
}
