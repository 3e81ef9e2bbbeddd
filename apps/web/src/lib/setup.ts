import { browserProvider, getSetup, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import { useSyncExternalStore } from "react";
import { ApiError, call, type CallOptions } from "./api.ts";
import { instanceKeys } from "./query-keys.ts";
import { keys, readStored, watchStored, writeStored } from "./session-storage.ts";
import { storeTracing } from "./trace.ts";

/** Where speech is generated or recognised. */
type Place = "browser" | "server";

/*
 * Part of the settings that every session check reads, and stored in the browser so that pages know
 * while the last check is fresh, and other tabs notice a change.
 */
const inBrowser = "browser browser";
const placeOf = (provider: unknown): Place =>
  provider === undefined || provider === browserProvider ? "browser" : "server";
const readVoice = (): string => readStored(keys.voice) ?? inBrowser;
const watchVoice = (listener: () => void): (() => void) => watchStored(keys.voice, listener);

/** Stores it from the instance's public settings. */
function storeVoice(settings: Record<string, unknown>): void {
  const places = `${placeOf(settings.TextToSpeechProvider)} ${placeOf(settings.SpeechToTextProvider)}`;
  writeStored(keys.voice, places === inBrowser ? null : places);
}

export const useSpeechPlace = (): Place =>
  useSyncExternalStore(watchVoice, readVoice).split(" ")[0] as Place;
export const useDictationPlace = (): Place =>
  useSyncExternalStore(watchVoice, readVoice).split(" ")[1] as Place;

/*
 * Whether this instance allows memories. It is part of the settings that every session check reads,
 * and stored in the browser so that pages know without asking and other tabs notice a change.
 */
const isPersonal = (): boolean => readStored(keys.personalization) === "on";
const watchPersonalization = (listener: () => void): (() => void) =>
  watchStored(keys.personalization, listener);

/** Stores it from the instance's public settings. */
const storePersonalization = (settings: Record<string, unknown>): void =>
  writeStored(keys.personalization, settings.MemoryEnabled === true ? "on" : null);
export const usePersonalization = (): boolean =>
  useSyncExternalStore(watchPersonalization, isPersonal);

/**
 * The instance's public settings. An unsuccessful reply throws the message of specification 1,
 * section 8.
 */
export async function fetchSetup(options: CallOptions = {}): Promise<Out<typeof getSetup>> {
  try {
    const reply = await call(getSetup, {}, options);
    storePersonalization(reply.results);
    storeVoice(reply.results);
    storeTracing(reply.results);
    return reply;
  } catch (error) {
    if (error instanceof ApiError && error.status > 0)
      throw new ApiError(error.status, { message: i18next.t("noSetup") });
    throw error;
  }
}

/** The instance's saved settings as strings; for secrets only whether one is set. */
export const setupQuery = queryOptions({
  queryKey: instanceKeys.setup,
  queryFn: ({ signal }) => fetchSetup({ signal }),
  select: (reply) => reply.results,
});
