import { mkdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pino } from "pino";

const largestBytes = 20 * 1024 * 1024;
/** Older files beside the current one: `.1` is the youngest. */
const kept = 3;
const checkMs = 10_000;

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

function moveAside(file: string): void {
  for (let age = kept; age > 0; age -= 1) {
    const younger = age === 1 ? file : `${file}.${age - 1}`;
    if (sizeOf(younger) > 0) renameSync(younger, `${file}.${age}`);
  }
}

type Destination = ReturnType<typeof pino.destination>;
/** One for each file: two that write the same one would part when it is moved aside. */
const open = new Map<string, Destination>();

/**
 * A log file that is moved aside above 20 MB, at the start and every ten seconds; with it three
 * older ones are kept.
 */
export function openLogFile(
  file: string,
  options: { largestBytes?: number; checkMs?: number } = {},
): Destination {
  const known = open.get(file);
  if (known) return known;
  const limit = options.largestBytes ?? largestBytes;
  mkdirSync(dirname(file), { recursive: true });
  if (sizeOf(file) > limit) moveAside(file);
  const destination = pino.destination({ dest: file, mkdir: true, sync: false });
  const timer = setInterval(() => {
    if (sizeOf(file) <= limit) return;
    moveAside(file);
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
