export * from "./context.ts";
export * from "./export-traces.ts";
export * from "./health.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export { nameError, startSpan, streamInContext, withinSpan, withSpan } from "./spans.ts";
export { isTracing, nextTraceparent, parseTraceparent } from "./trace.ts";
