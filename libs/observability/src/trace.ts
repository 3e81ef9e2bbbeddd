import { randomFillSync } from "node:crypto";
import { isSpanContextValid, TraceFlags, trace, type SpanContext } from "@opentelemetry/api";

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

const formatTraceparent = (span: SpanContext): string =>
  `00-${span.traceId}-${span.spanId}-${span.traceFlags.toString(16).padStart(2, "0")}`;

/**
 * The traceparent to pass on: the active OpenTelemetry span if an SDK is registered, otherwise a
 * new span in `parent`'s trace, otherwise a new trace. So all hops share one trace id even without
 * an exporter.
 */
export function nextTraceparent(parent?: string): string {
  const active = trace.getActiveSpan()?.spanContext();
  if (active && isSpanContextValid(active)) return formatTraceparent(active);
  const from = parseTraceparent(parent);
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
