import { useEffect, useState } from "react";

/** A page that nobody uses fetches what is optional only after this long. */
const unusedMs = 10_000;
const signs = ["pointermove", "pointerdown", "keydown", "touchstart", "wheel", "dragenter"];

const hasMoved = ({ movementX, movementY }: MouseEvent): boolean =>
  movementX !== 0 || movementY !== 0;

let used = false;
const firstUse = new Promise<void>((resolve) => {
  const done = (event?: Event): void => {
    // Browsers also report the pointer when the page appears below it.
    if (event instanceof MouseEvent && event.type === "pointermove" && !hasMoved(event)) return;
    used = true;
    for (const sign of signs) removeEventListener(sign, done, true);
    resolve();
  };
  for (const sign of signs) addEventListener(sign, done, { capture: true, passive: true });
  setTimeout(() => done(), unusedMs);
});

/**
 * Runs `work` once somebody uses the page: for code and data that the first page doesn't show but
 * the next step may need. Returns a function that cancels it.
 */
export function onFirstUse(work: () => void): () => void {
  let wanted = true;
  void firstUse.then(() => {
    if (wanted) work();
  });
  return () => {
    wanted = false;
  };
}

/** Whether somebody has used the page, for queries that can wait until then. */
export function useFirstUse(): boolean {
  const [isUsed, setUsed] = useState(used);
  useEffect(() => (isUsed ? undefined : onFirstUse(() => setUsed(true))), [isUsed]);
  return isUsed;
}
