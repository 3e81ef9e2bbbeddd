import { join } from "node:path";
import { pino, type Logger } from "pino";
import { context } from "./context.ts";
import { openLogFile } from "./log-file.ts";
import { parseTraceparent } from "./trace.ts";

export type { Logger } from "pino";

/**
 * The last two come from failed queries: their parameters may contain hashes, addresses or user
 * questions.
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
 * A JSON logger that adds service, request id, actor and trace id from the async context. Writes to
 * stdout or, if a folder is given, to the size-limited `<folder>/<service>.log` (standalone keeps
 * its terminal clean).
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
