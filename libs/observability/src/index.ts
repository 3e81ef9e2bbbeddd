export * from "./health.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export {
  nameError,
  startSpan,
  streamInContext,
  withinSpan,
  withSpan,
  exportTraces,
} from "./spans.ts";
export { isTracing, nextTraceparent, parseTraceparent, context } from "./trace.ts";
