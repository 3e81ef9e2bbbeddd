import { useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";

/*
 * Whether people may have memories on this instance. It comes with the settings that every check of
 * a session reads, and
 * is kept in the browser: a page knows it without asking, and other tabs hear of a change.
 */
const isOn = (): boolean => readStored(keys.personalization) === "on";
const watch = (listener: () => void): (() => void) => watchStored(keys.personalization, listener);

/** From the instance's open settings. */
export const notePersonalization = (settings: Record<string, unknown>): void =>
  writeStored(keys.personalization, settings.MemoryEnabled === true ? "on" : null);
export const usePersonalization = (): boolean => useSyncExternalStore(watch, isOn);
