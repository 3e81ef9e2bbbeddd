export * from "./context.ts";
export * from "./export-traces.ts";
export * from "./health.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export { nameError, startSpan, withinSpan, withSpan } from "./spans.ts";
export { nextTraceparent, parseTraceparent } from "./trace.ts";
