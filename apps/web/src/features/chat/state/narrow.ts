import { useSyncExternalStore } from "react";

const query = (): MediaQueryList => matchMedia("(max-width: 767px)");
const subscribe = (listener: () => void): (() => void) => {
  const list = query();
  list.addEventListener("change", listener);
  return () => list.removeEventListener("change", listener);
};
/** Whether this is a phone, by the same width as the style sheet. */
export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => query().matches);
