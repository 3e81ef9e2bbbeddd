export * from "./context.ts";
export * from "./health.ts";
export * from "./logger.ts";
export * from "./metrics.ts";
export * from "./trace.ts";
