import { mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pino, type Logger } from "pino";
import { context, parseTraceparent } from "./trace.ts";

const largestBytes = 20 * 1024 * 1024;
/** Number of rotated files kept; `.1` is the newest. */
const kept = 3;
const checkMs = 10_000;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function rotate(file: string): void {
  for (let age = kept; age > 0; age -= 1) {
    const younger = age === 1 ? file : `${file}.${age - 1}`;
    if (sizeOf(younger) > 0) renameSync(younger, `${file}.${age}`);
  }
}

type Destination = ReturnType<typeof pino.destination>;
/** One destination per file: two writing to the same file would diverge when it is rotated. */
const open = new Map<string, Destination>();

/**
 * A log file that is rotated above 20 MB, checked at startup and every ten seconds. Three older
 * files are kept.
 */
export function openLogFile(
  file: string,
  options: { largestBytes?: number; checkMs?: number } = {},
): Destination {
  const known = open.get(file);
  if (known) return known;
  const limit = options.largestBytes ?? largestBytes;
  mkdirSync(dirname(file), { recursive: true });
  if (sizeOf(file) > limit) rotate(file);
  const destination = pino.destination({ dest: file, mkdir: true, sync: false });
  const timer = setInterval(() => {
    if (sizeOf(file) <= limit) return;
    rotate(file);
    destination.reopen();
  }, options.checkMs ?? checkMs);
  timer.unref();
  destination.once("close", () => {
    clearInterval(timer);
    open.delete(file);
  });
  open.set(file, destination);
  return destination;
}

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
