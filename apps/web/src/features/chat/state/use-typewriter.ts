import { useEffect, useState } from "react";

const charactersPerFrame = 12;
const allowsMotion = (): boolean => !matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Reveals a complete text as if it were streamed if `animate` is set; at once if the user prefers
 * reduced motion.
 */
export function useTypewriter(text: string, animate: boolean): string {
  const [wasAnimated, setWasAnimated] = useState(false);
  const [shown, setShown] = useState(Infinity);
  // The answer mounts empty before its text arrives: what counts is when it becomes an animated
  // one.
  if (animate !== wasAnimated) {
    setWasAnimated(animate);
    setShown(animate && allowsMotion() ? 0 : Infinity);
  }
  useEffect(() => {
    if (shown >= text.length) return;
    const frame = requestAnimationFrame(() => setShown(shown + charactersPerFrame));
    return () => cancelAnimationFrame(frame);
  }, [shown, text]);
  return text.slice(0, shown);
}
