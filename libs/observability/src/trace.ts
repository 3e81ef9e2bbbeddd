import { AsyncLocalStorage } from "node:async_hooks";
import { randomFillSync } from "node:crypto";
import { TraceFlags, isSpanContextValid, type SpanContext, type Tracer } from "@opentelemetry/api";

/** Follows one piece of work through every await: logs include it, nested requests inherit it. */
export interface WorkContext {
  requestId: string;
  /** `user:7`, `instance`, `service`, `public`. */
  actor?: string;
  /** W3C trace context header value. */
  traceparent?: string;
  /**
   * Epoch ms after which the caller no longer waits for the result; nested requests never get a
   * later one.
   */
  deadline?: number;
  /** Idempotency key of the request being handled; nested keyed requests derive theirs from it. */
  idempotencyKey?: string;
  /** Number of nested keyed requests so far, by operation. */
  nestedKeys?: Map<string, number>;
}

const storage = new AsyncLocalStorage<WorkContext>();

/**
 * Work that outlives the request that starts it needs a separate `run`; otherwise it inherits the
 * request's deadline.
 */
export const context = {
  run: <T>(work: WorkContext, run: () => T): T => storage.run(work, run),
  get: (): WorkContext | undefined => storage.getStore(),
};

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a W3C `traceparent`; null if it is malformed or all zero. */
export function parseTraceparent(header: string | null | undefined): SpanContext | null {
  const match = pattern.exec(header ?? "");
  if (!match) return null;
  const parsed = {
    traceId: match[1]!,
    spanId: match[2]!,
    traceFlags: Number.parseInt(match[3]!, 16),
    isRemote: true,
  };
  return isSpanContextValid(parsed) ? parsed : null;
}

export const formatTraceparent = (span: SpanContext): string =>
  `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}`;

/** The tracer that records spans; null while none are recorded. */
export const recording: { tracer: Tracer | null } = { tracer: null };

export const isTracing = (): boolean => recording.tracer !== null;

/**
 * The traceparent to pass on. `parent` itself if spans are recorded, because it is one of them;
 * otherwise a new one in `parent`'s trace, or in a new trace. So all hops share one trace id even
 * if no spans are recorded.
 */
export function nextTraceparent(parent?: string): string {
  const from = parseTraceparent(parent);
  if (recording.tracer !== null && from !== null) return formatTraceparent(from);
  return formatTraceparent({
    traceId: from?.traceId ?? randomHex(16),
    spanId: randomHex(8),
    traceFlags: from?.traceFlags ?? TraceFlags.SAMPLED,
  });
}

/** Read from the system in blocks: every request needs some, and each call takes microseconds. */
const pool = Buffer.alloc(4_096);
let drawn = pool.length;

function randomHex(bytes: number): string {
  if (drawn + bytes > pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  drawn += bytes;
  return pool.toString("hex", drawn - bytes, drawn);
}
