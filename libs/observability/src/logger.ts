import { join } from "node:path";
import { pino, type Logger } from "pino";
import { context } from "./context.ts";
import { openLogFile } from "./log-file.ts";
import { parseTraceparent } from "./trace.ts";

export type { Logger } from "pino";

/**
 * The last two are of a failed query: what was to be written may be a hash, an address or what
 * somebody asked.
 */
const redacted = [
  "authorization",
  "cookie",
  "password",
  "token",
  "apiKey",
  "secret",
  "*.authorization",
  "*.cookie",
  "*.password",
  "*.token",
  "*.apiKey",
  "*.secret",
  "*.parameters",
  "*.driverError",
];

/**
 * A JSON logger whose lines carry service, request id, actor and trace id of the async context.
 * Writes to stdout, or
 * to `<folder>/<service>.log`, which is kept small, where a folder is given (standalone keeps its
 * terminal clean).
 */
export function createLogger(
  service: string,
  level = "info",
  options: { folder?: string } = {},
): Logger {
  const settings = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: redacted, censor: "***" },
    mixin: () => {
      const work = context.get();
      return work
        ? {
            requestId: work.requestId,
            actor: work.actor,
            traceId: parseTraceparent(work.traceparent)?.traceId,
          }
        : {};
    },
  };
  if (!options.folder) return pino(settings);
  return pino(settings, openLogFile(join(options.folder, `${service}.log`)));
}
