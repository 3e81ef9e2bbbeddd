import { useSyncExternalStore } from "react";

const narrow = "(max-width: 767px)";
const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(narrow);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
};
/** True on phones, where the document manager asks for a desktop device. */
export const useIsPhone = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(narrow).matches);
