import { useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";

/*
 * Whether this instance allows memories. It is part of the settings that every session check reads,
 * and stored in the browser so that pages know without asking and other tabs notice a change.
 */
const isOn = (): boolean => readStored(keys.personalization) === "on";
const watch = (listener: () => void): (() => void) => watchStored(keys.personalization, listener);

/** Stores it from the instance's public settings. */
export const storePersonalization = (settings: Record<string, unknown>): void =>
  writeStored(keys.personalization, settings.MemoryEnabled === true ? "on" : null);
export const usePersonalization = (): boolean => useSyncExternalStore(watch, isOn);
