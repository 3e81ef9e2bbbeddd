import { useEffect, useState } from "react";

const secondsUntil = (time: string): number =>
  Math.max(0, Math.ceil((Date.parse(time) - Date.now()) / 1000)) || 0;

/** Seconds until a time (ISO 8601); 0 once it has passed. */
export function useSecondsLeft(time: string): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(time));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsUntil(time)), 1000);
    return () => clearInterval(timer);
  }, [time]);
  return seconds;
}
