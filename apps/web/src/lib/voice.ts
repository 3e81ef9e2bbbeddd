import { browserProvider } from "@carrel/contracts";
import { useSyncExternalStore } from "react";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";

/** Where speech is generated or recognised. */
type Place = "browser" | "server";

/*
 * Part of the settings that every session check reads, and stored in the browser so that pages know
 * while the last check is fresh, and other tabs notice a change.
 */
const inBrowser = "browser browser";
const placeOf = (provider: unknown): Place =>
  provider === undefined || provider === browserProvider ? "browser" : "server";
const read = (): string => readStored(keys.voice) ?? inBrowser;
const watch = (listener: () => void): (() => void) => watchStored(keys.voice, listener);

/** Stores it from the instance's public settings. */
export function storeVoice(settings: Record<string, unknown>): void {
  const places = `${placeOf(settings.TextToSpeechProvider)} ${placeOf(settings.SpeechToTextProvider)}`;
  writeStored(keys.voice, places === inBrowser ? null : places);
}

export const useSpeechPlace = (): Place => useSyncExternalStore(watch, read).split(" ")[0] as Place;
export const useDictationPlace = (): Place =>
  useSyncExternalStore(watch, read).split(" ")[1] as Place;
