import { useEffect, useState } from "react";

/** Pause in typing before the server is asked, in ms. */
const pauseMs = 250;

/** The value as of the last pause in its changes. */
export function useDebounced<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
