import { useEffect, useState } from "react";

const perFrame = 12;
const wantsMotion = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Reveals a complete text as if it were streamed if `animate` is set; at once if the user prefers
 * reduced motion.
 */
export function useWritten(text: string, animate: boolean): string {
  const [before, setBefore] = useState(false);
  const [shown, setShown] = useState(Infinity);
  // The answer mounts empty before its text arrives: what counts is when it becomes an animated
  // one.
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
