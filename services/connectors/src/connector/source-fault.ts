import { CarrelError } from "@carrel/contracts";
import { EgressError } from "@carrel/egress";
import { isStorageFull } from "@carrel/messaging";

/** Wait if a source that is too busy doesn't say for how long, in seconds. */
const defaultWait = 10;
const maxWait = 3_600;
/** Wait if ingest is busy. */
const busySeconds = 2;
/** Wait if a disk is full. */
const spaceSeconds = 15;

/** Reads Retry-After: seconds or a date; null if absent or invalid. */
function readRetryAfter(headers: Headers): number | null {
  const text = headers.get("retry-after")?.trim();
  if (!text) return null;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(maxWait, Math.max(1, Math.ceil(seconds)));
}

/** Throws the fault that an answer other than 2xx means for an item. */
export function throwStatus({
  url,
  status,
  headers,
}: {
  url: string;
  status: number;
  headers: Headers;
}): never {
  const { host } = new URL(url);
  const wait = readRetryAfter(headers);
  if (status === 429 || (status === 503 && wait !== null))
    throw new CarrelError("source.busy", { host }, { retryAfter: wait ?? defaultWait });
  if (status === 404 || status === 410) throw new CarrelError("source.missing", { host });
  if (status === 401 || status === 403 || status === 407 || status === 451)
    throw new CarrelError("source.denied", { host, status });
  if (status >= 500 || status === 408 || status === 425)
    throw new CarrelError("source.failing", { host, status });
  throw new CarrelError("egress.unexpected-response", { host });
}

/** What a failed request means for an item; anything unknown stays as it is. */
export function toSourceFault(fault: unknown): unknown {
  if (isStorageFull(fault))
    return new CarrelError("request.storage-full", {}, { retryAfter: spaceSeconds, cause: fault });
  if (!(fault instanceof EgressError)) return fault;
  const { code, params = {} } = fault.fault;
  return CarrelError.fromFault({ code, params });
}

/** Whether more came than was asked for. */
export const isTooLarge = (fault: unknown): boolean =>
  fault instanceof EgressError && fault.reason === "too-large";

/** Faults on the way to a source, which say nothing about it. */
const wayFaults: ReadonlySet<string> = new Set([
  "egress.unreachable",
  "egress.certificate-untrusted",
  "egress.proxy-unreachable",
  "egress.proxy-refused",
]);

/** Whether trying again may help: the request failed on its way, or the server had a fault. */
export const isWorthRetrying = (fault: unknown): boolean =>
  !(fault instanceof CarrelError) || fault.isRetryable || wayFaults.has(fault.code);

/** Whether the source, or ingest, asks to wait, or a disk of ours is full. */
export const isBusy = (fault: unknown): fault is CarrelError =>
  fault instanceof CarrelError && (fault.kind === "BUSY" || fault.code === "request.storage-full");

/** Ingest's queue empties sooner or later; a source that keeps asking is given up. */
export const isSourceBusy = ({ code }: CarrelError): boolean => code === "source.busy";

/** For how long, in ms. */
export const waitOf = ({ retryAfter }: CarrelError): number => (retryAfter ?? busySeconds) * 1_000;
