import { changesSinceHeader, type Args, type Operation, type Out } from "@carrel/contracts";
import { addressOf, routeOf } from "./address.ts";
import { noteReply } from "./connection.ts";
import {
  describeFault,
  faultHeader,
  loadFaultTexts,
  parseFault,
  type ReceivedFault,
} from "./fault.ts";
import { readToken } from "./session-storage.ts";

/**
 * The earliest position in the gateway's log of changes at which this page has read data: a change
 * stream that starts there has every change that the data may lack.
 */
let earliestPosition: { log: string; time: number } | null = null;
/** Unknown once a reply came without a position, or from another gateway's log. */
let positionState: "noting" | "unknown" | "taken" = "noting";

/** Notes the position of a reply, which its header names as `<log>.<time>`. */
export function notePosition(position: string | null): void {
  if (positionState !== "noting") return;
  const [log, time] = position?.split(".") ?? [];
  if (!log || !time || (earliestPosition !== null && earliestPosition.log !== log)) {
    positionState = "unknown";
    return;
  }
  if (earliestPosition === null || Number(time) < earliestPosition.time)
    earliestPosition = { log, time: Number(time) };
}

/** The position at which the page's first change stream starts; null later, or if it is unknown. */
export function takePosition(): string | null {
  const isKnown = positionState === "noting" && earliestPosition !== null;
  positionState = "taken";
  return isKnown && earliestPosition !== null
    ? `${earliestPosition.log}.${earliestPosition.time}`
    : null;
}

/** Requests that `early-start.ts` sent before the app's code arrived, by URL. */
interface EarlyReplies {
  /** The session with which they were sent. */
  token: string | null;
  replies: Map<string, Promise<Response>>;
}
declare global {
  var carrelEarly: EarlyReplies | undefined;
}

/**
 * The reply to a request already sent for this session; null if there is none. Each is used once.
 */
function takeEarlyReply(url: string, token: string | null): Promise<Response> | null {
  const early = globalThis.carrelEarly;
  if (early?.token !== token) return null;
  const reply = early.replies.get(url) ?? null;
  early.replies.delete(url);
  return reply;
}

/** Whether the app's first page is still loading. */
export const isFirstPage = (): boolean => globalThis.carrelEarly !== undefined;

/** Unused replies would be stale later. */
export const dropEarlyReplies = (): void => {
  globalThis.carrelEarly = undefined;
};

/**
 * An unsuccessful reply, with a translated message. `status` is 0 if there was no reply;
 * `retryAfter` is in seconds, if the server sent it.
 */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly fault: ReceivedFault | null;
  readonly retryAfter: number | null;
  constructor(
    readonly status: number,
    {
      fault = null,
      retryAfter = null,
      message = describeFault(fault, status),
    }: { fault?: ReceivedFault | null; retryAfter?: number | null; message?: string } = {},
  ) {
    super(message);
    this.fault = fault;
    this.retryAfter = retryAfter;
  }
}

/** Whether there was no reply at all. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 0;

/** Whether the server understood the call and refused it, as many routes do with status 200. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 200;

let onUnauthenticated: (() => void) | null = null;
/**
 * Registers a callback for 401s on calls that need a session; the router then sends the user to
 * sign in.
 */
export function listenUnauthenticated(listener: () => void): void {
  onUnauthenticated = listener;
}

/** Headers of every request: the session, and the language that the server's sentences have. */
export function authorization(): Record<string, string> {
  const token = readToken();
  return {
    "X-Language": document.documentElement.lang,
    ...(token && { Authorization: `Bearer ${token}` }),
  };
}

/** Seconds in a Retry-After header; null if it is missing or a date. */
const secondsOf = (header: string | null): number | null =>
  header !== null && /^\d{1,5}$/.test(header.trim()) ? Number(header) : null;

/** The parts of a reply that both `fetch` and XMLHttpRequest provide. */
interface ReplyHead {
  status: number;
  ok: boolean;
  headers: Pick<Headers, "get" | "has">;
}

/**
 * Many refusals have status 200, because existing clients expect it; the header identifies them.
 */
export const isFailure = ({ ok, headers }: ReplyHead): boolean => !ok || headers.has(faultHeader);

/** The error that a failed reply describes. */
export async function failureOf({ status, headers }: ReplyHead): Promise<ApiError> {
  const fault = parseFault(headers.get(faultHeader));
  if (fault) await loadFaultTexts();
  return new ApiError(status, { fault, retryAfter: secondsOf(headers.get("retry-after")) });
}

let onProofDue: (() => Promise<boolean>) | null = null;
/**
 * Registers a function that asks the user to confirm who they are, for calls that an old session
 * may not make. It resolves to whether they did; the call is then repeated.
 */
export function listenProofDue(listener: () => Promise<boolean>): void {
  onProofDue = listener;
}

let changing = 0;
/**
 * Runs a step that replaces the session. A 401 from another call is ignored meanwhile: the old
 * session has ended and the new one isn't stored yet.
 */
export async function replaceSession<T>(work: () => Promise<T>): Promise<T> {
  changing += 1;
  try {
    return await work();
  } finally {
    changing -= 1;
  }
}

/** Notifies the session listener of a 401 and returns the response unchanged. */
export function watchStatus(response: Response): Response {
  if (response.status === 401 && changing === 0) onUnauthenticated?.();
  return response;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** A 401 is an expected answer here (sign-in), not the end of a session. */
  expects401?: boolean;
  /** From `startTrace`. */
  trace?: Record<string, string>;
}

/**
 * Calls a contract operation, as mounted by the gateway, which validates the input. Throws ApiError.
 */
export async function call<Op extends Operation>(
  operation: Op,
  input: Args<Op>,
  options: CallOptions = {},
): Promise<Out<Op>> {
  const { url, rest } = addressOf(operation, input as Record<string, unknown>);
  const { method, kind } = routeOf(operation);
  const headers: Record<string, string> = {
    Accept: "application/json",
    ...authorization(),
    ...options.trace,
  };
  const body = method === "GET" ? undefined : JSON.stringify(rest);
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    response = await ((method === "GET" && takeEarlyReply(url, readToken())) ||
      fetch(url, { method, headers, body, signal: options.signal ?? null }));
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(0);
  }
  if (response.status < 500) noteReply(); // a proxy replies 502 to 504 while the server is down
  notePosition(response.headers.get(changesSinceHeader));
  if (!options.expects401) watchStatus(response);
  if (isFailure(response)) {
    const failure = await failureOf(response);
    if (failure.fault?.code === "access.proof-due" && (await onProofDue?.()))
      return call(operation, input, options);
    throw failure;
  }
  return (kind === "json" ? await response.json() : undefined) as Out<Op>;
}
