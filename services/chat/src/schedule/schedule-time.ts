import { CarrelError, mostMissedRuns, type ScheduleTiming } from "@carrel/contracts";
import { Cron } from "croner";

/** How many coming runs are compared with the minimum interval. */
const comparedRuns = 60;
/** Due times of a timing, around another time; null if there is none. Throws CarrelError. */
interface DueFinder {
  next: (after: Date) => Date | null;
  previous: (before: Date) => Date | null;
}

/** Five fields, or a macro. */
const cronText = /^(?:@[a-z]+|[\w*,/#-]+(?:\s+[\w*,/#-]+){4})$/i;

/**
 * Throws for an expression that isn't one. When clocks change, fixed times (`30 2 * * *`) run once: at
 * the first moment after a gap, or at the first of two occurrences. Minutes with a wildcard
 * (`*\/10 2 * * *`) run in each occurrence of their hour, and not at all if it doesn't exist.
 */
function readCron(cron: string, timeZone: string): DueFinder {
  const readable = <T>(read: () => T): T => {
    try {
      return read();
    } catch (cause) {
      throw new CarrelError("schedule.cron-invalid", undefined, { cause });
    }
  };
  const found = readable(() => {
    // croner also reads dates, and `?` as the time at which it reads it.
    if (!cronText.test(cron)) throw new TypeError("not a cron expression");
    return new Cron(cron, { timezone: timeZone, mode: "5-part", paused: true });
  });
  return {
    next: (after) => readable(() => found.nextRun(after)),
    previous: (before) => readable(() => found.previousRuns(1, before)[0] ?? null),
  };
}

function checkZone(zone: string): void {
  try {
    // The sign of an offset is read differently by others.
    if (/^[+-]/.test(zone)) throw new RangeError("not a name");
    new Intl.DateTimeFormat("en", { timeZone: zone });
  } catch (cause) {
    throw new CarrelError("schedule.zone-unknown", { zone }, { cause });
  }
}

function finderOf(timing: ScheduleTiming): DueFinder {
  checkZone(timing.timeZone);
  if (timing.kind === "cron") return readCron(timing.cron, timing.timeZone);
  const at = new Date(timing.at);
  return {
    next: (after) => (at > after ? at : null),
    previous: (before) => (at < before ? at : null),
  };
}

/** The next due times, at most `count`. */
export function listNextRuns(timing: ScheduleTiming, after: Date, count: number): Date[] {
  const { next } = finderOf(timing);
  const runs: Date[] = [];
  for (let run = next(after); run !== null && runs.length < count; run = next(run)) runs.push(run);
  return runs;
}

/**
 * Returns the first due time. Throws what its owner can do something about: a timing that is invalid,
 * never due or due too often.
 */
export function checkTiming(timing: ScheduleTiming, now: Date, minimumSeconds: number): Date {
  const runs = listNextRuns(timing, now, comparedRuns);
  const [first] = runs;
  if (first === undefined)
    throw new CarrelError(timing.kind === "once" ? "schedule.time-passed" : "schedule.never-due");
  const isTooOften = runs.some(
    (run, index) =>
      index > 0 && run.getTime() - runs[index - 1]!.getTime() < minimumSeconds * 1_000,
  );
  if (isTooOften) throw new CarrelError("schedule.too-often", { seconds: minimumSeconds });
  return first;
}

/** A schedule that is due, seen from now. */
export interface DueTimes {
  /** For which nothing has run, oldest first: the last ones, at most `mostMissedRuns`. */
  missed: Date[];
  /** Due just now; null: the last one was missed, too. */
  current: Date | null;
  next: Date | null;
}

/**
 * Throws CarrelError for a timing that can't be read here: names of time zones differ between releases
 * of Node.
 *
 * @param lateMs after which a time counts as missed
 */
export function sortDueTimes(
  timing: ScheduleTiming,
  dueAt: Date,
  { now, lateMs }: { now: Date; lateMs: number },
): DueTimes {
  const { next, previous } = finderOf(timing);
  const times: Date[] = [];
  let time = previous(new Date(now.getTime() + 1));
  while (time !== null && time > dueAt && times.length <= mostMissedRuns) {
    times.unshift(time);
    time = previous(time);
  }
  if (times.length <= mostMissedRuns) times.unshift(dueAt);
  const last = times.at(-1)!;
  const isCurrent = now.getTime() - last.getTime() <= lateMs;
  return {
    missed: (isCurrent ? times.slice(0, -1) : times).slice(-mostMissedRuns),
    current: isCurrent ? last : null,
    next: next(now),
  };
}
