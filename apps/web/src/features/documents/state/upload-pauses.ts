import { ApiError } from "../../../lib/api.ts";
import { hasRepliedSince, isDisconnected } from "../../../lib/connection.ts";
import { setWaitsForServer } from "./upload-store.ts";

/**
 * Delays (ms) between retries when a busy server sends no Retry-After; when it does, that is used
 * instead and retries are unlimited. So they are while the server doesn't respond, with the last
 * delay.
 */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 20_000, 30_000];
/** Attempts per upload that a busy server refused. */
const busyAttempts = new Map<number, number>();
/**
 * Attempts per upload that broke off although the server can be reached: it may be the file that
 * breaks the connection, so it fails in the end.
 */
const brokenAttempts = new Map<number, number>();
const maxBrokenAttempts = 5;
/** Attempts in a row, of all uploads, without a response. */
let silentAttempts = 0;
/** When the last of them broke off, in ms as of `performance.now()`. */
let silentAt = Infinity;
let pausedUntil = 0;

/** What a proxy replies while the server behind it is down. */
const proxyStatuses = [502, 503, 504];
/** Whether this isn't a reply of the server, which may or may not have received the upload. */
export const isSilence = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 ||
    (proxyStatuses.includes(error.status) && error.fault === null && error.retryAfter === null));

/** Milliseconds until the next upload may be sent. */
export const remainingPause = (): number => pausedUntil - Date.now();

/** Call when the server seems to be back; returns whether uploads were waiting for it. */
export function endSilence(): boolean {
  if (silentAttempts === 0) return false;
  pausedUntil = 0;
  return true;
}

/** Call when the server has taken or refused an upload, or no upload is left. */
export function noteUploadReply(): void {
  if (silentAttempts > 0) pausedUntil = 0;
  silentAttempts = 0;
  setWaitsForServer(false);
}

export function forgetAttempts(id: number): void {
  busyAttempts.delete(id);
  brokenAttempts.delete(id);
}

/** Pauses all uploads if this one's error is temporary; returns whether it should be retried. */
export function pauseAfter(id: number, error: unknown): boolean {
  if (isSilence(error)) return awaitServer(id);
  noteUploadReply();
  if (!(error instanceof ApiError) || (error.status !== 429 && error.status !== 503)) return false;
  const attempt = busyAttempts.get(id) ?? 0;
  const requestedDelay = error.retryAfter === null ? null : Math.max(1, error.retryAfter) * 1000;
  const delay = requestedDelay ?? retryDelaysMs[attempt];
  if (delay === undefined) return false;
  if (requestedDelay === null) busyAttempts.set(id, attempt + 1);
  pausedUntil = Math.max(pausedUntil, Date.now() + delay);
  return true;
}

function awaitServer(id: number): boolean {
  // A hidden tab closes its change stream, so it can't tell.
  const isReachable =
    document.visibilityState === "visible" && (!isDisconnected() || hasRepliedSince(silentAt));
  silentAt = performance.now();
  const broken = (brokenAttempts.get(id) ?? 0) + (isReachable ? 1 : 0);
  if (broken >= maxBrokenAttempts) {
    noteUploadReply(); // the server can be reached
    return false;
  }
  brokenAttempts.set(id, broken);
  // Uploads that break off together count once.
  if (remainingPause() <= 0) {
    pausedUntil = Date.now() + (retryDelaysMs[silentAttempts] ?? retryDelaysMs.at(-1)!);
    silentAttempts += 1;
  }
  setWaitsForServer(true);
  return true;
}
