import type { ConnectionRunWire } from "@carrel/contracts";

/** Items that the run is done with, whatever became of them. */
export const countDone = ({ fetched, unchanged, skipped, failed }: ConnectionRunWire): number =>
  fetched + unchanged + skipped + failed;

export const isOpen = (run: ConnectionRunWire | null): boolean =>
  run !== null && run.endedAt === null;

/** Whether a run changed nothing, so that the list can group it with others. */
const changedNothing = ({ state, fault, fetched, failed, removed }: ConnectionRunWire): boolean =>
  state === "finished" && fault === null && fetched + failed + removed === 0;

/** Runs in a row that changed nothing as one entry, each other one as its own. */
export function foldUnchanged(runs: readonly ConnectionRunWire[]): ConnectionRunWire[][] {
  const folded: ConnectionRunWire[][] = [];
  for (const run of runs) {
    const last = folded.at(-1);
    if (last?.every(changedNothing) && changedNothing(run)) last.push(run);
    else folded.push([run]);
  }
  return folded;
}

/** How far a run was at a time, in milliseconds. */
interface Sample {
  at: number;
  done: number;
}

/** Long enough to even out bursts, short enough to follow a source that slows down. */
const windowMs = 30_000;

const addSample = (samples: readonly Sample[], next: Sample): Sample[] => [
  // One from before the window, if there is one, so that the window is covered.
  ...samples.filter(
    (_each, n) => samples[n + 1] === undefined || samples[n + 1]!.at >= next.at - windowMs,
  ),
  next,
];

/** Items per second; null until enough has been imported to tell. */
function rateOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (!first || !last || last.at - first.at < 1_000 || last.done <= first.done) return null;
  return ((last.done - first.done) * 1_000) / (last.at - first.at);
}

/** Seconds until the run ends; null while the source is still being listed, or at a standstill. */
export const secondsLeft = (run: ConnectionRunWire, rate: number | null): number | null =>
  rate === null || !run.isListed ? null : Math.max(0, run.found - countDone(run)) / rate;

/** What this page has seen of the runs that it follows, by run. */
const seen = new Map<string, { of: string; samples: Sample[] }>();

/** A pause isn't slowness. */
const phaseOf = ({ state, waitsUntil }: ConnectionRunWire): string =>
  `${state} ${waitsUntil ?? ""}`;

/** Notes how far a run is now. */
export function noteProgress(run: ConnectionRunWire, at = Date.now()): void {
  const of = phaseOf(run);
  const before = seen.get(run.id);
  const samples = before?.of === of ? before.samples : [];
  if (isOpen(run))
    seen.set(run.id, { of, samples: addSample(samples, { at, done: countDone(run) }) });
  else seen.delete(run.id);
}

/** Items per second of a running import; null until this page has seen it move. */
export function readRate(run: ConnectionRunWire): number | null {
  const known = seen.get(run.id);
  return run.state === "running" && known?.of === phaseOf(run) ? rateOf(known.samples) : null;
}
