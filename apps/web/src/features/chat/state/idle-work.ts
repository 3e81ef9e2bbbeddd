/** What waits at most this long (ms) on a page that is never idle. */
const timeout = 1_000;
const waiting = new Set<() => void>();
let isScheduled = false;

const whenIdle: (run: () => void) => unknown =
  typeof requestIdleCallback === "function"
    ? (run) => requestIdleCallback(run, { timeout })
    : (run) => setTimeout(run, 50); // Safari

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  whenIdle(() => {
    isScheduled = false;
    const [work] = waiting;
    if (!work) return;
    waiting.delete(work);
    if (waiting.size > 0) schedule();
    work();
  });
}

/**
 * Runs `work` while the page is idle, one piece at a time, so that no piece delays a frame or an
 * input for longer than it takes itself. Returns a function that cancels it.
 */
export function addIdleWork(work: () => void): () => void {
  waiting.add(work);
  schedule();
  return () => {
    waiting.delete(work);
  };
}
