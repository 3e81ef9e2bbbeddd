import { useEffect, useState } from "react";

/** Optional code and data load after this delay even if the page isn't used. */
const unusedMs = 10_000;
const signs = ["pointermove", "pointerdown", "keydown", "touchstart", "wheel", "dragenter"];

const hasMoved = ({ movementX, movementY }: MouseEvent): boolean =>
  movementX !== 0 || movementY !== 0;

let used = false;
const firstUse = new Promise<void>((resolve) => {
  const done = (event?: Event): void => {
    // Browsers also fire pointer events when the page appears under a resting pointer.
    if (event instanceof MouseEvent && event.type === "pointermove" && !hasMoved(event)) return;
    used = true;
    for (const sign of signs) removeEventListener(sign, done, true);
    resolve();
  };
  for (const sign of signs) addEventListener(sign, done, { capture: true, passive: true });
  setTimeout(() => done(), unusedMs);
});

/**
 * Runs `work` on first use of the page, to load code and data that the first view doesn't need but
 * the next step may. If that fails, the next step loads it again. Returns a function that cancels
 * it.
 */
export function onFirstUse(work: () => unknown): () => void {
  let wanted = true;
  void firstUse.then(() => (wanted ? work() : undefined)).catch(() => undefined);
  return () => {
    wanted = false;
  };
}

/** Whether the page has been used, for queries that can wait until then. */
export function useFirstUse(): boolean {
  const [isUsed, setUsed] = useState(used);
  useEffect(() => (isUsed ? undefined : onFirstUse(() => setUsed(true))), [isUsed]);
  return isUsed;
}
