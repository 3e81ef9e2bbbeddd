import { useEffect, useState } from "react";

const perFrame = 12;
const wantsMotion = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * A text that came at once, shown as if it were written where `animate`; at once where less motion
 * is wished.
 */
export function useWritten(text: string, animate: boolean): string {
  const [before, setBefore] = useState(false);
  const [shown, setShown] = useState(Infinity);
  // The answer stands there, empty, before its text comes: what counts is that it became one to be
  // written.
  if (animate !== before) {
    setBefore(animate);
    setShown(animate && wantsMotion() ? 0 : Infinity);
  }
  useEffect(() => {
    if (shown >= text.length) return;
    const frame = requestAnimationFrame(() => setShown(shown + perFrame));
    return () => cancelAnimationFrame(frame);
  }, [shown, text]);
  return text.slice(0, shown);
}
