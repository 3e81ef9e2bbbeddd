import { useSyncExternalStore } from "react";

const narrow = "(max-width: 767px)";
const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(narrow);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};
/** True on phones. */
export const useIsPhone = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(narrow).matches);
