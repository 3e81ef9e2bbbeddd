import { browserProvider } from "@carrel/contracts";
import { createStore, useStore } from "./store.ts";

/** Where speech is made or recognised. */
type Place = "browser" | "server";

const places = createStore<`${Place} ${Place}`>("browser browser");
const placeOf = (provider: unknown): Place =>
  provider === undefined || provider === browserProvider ? "browser" : "server";

/** Takes it from the instance's public settings. */
export const storeVoice = (settings: Record<string, unknown>): void =>
  places.set(
    () =>
      `${placeOf(settings.TextToSpeechProvider)} ${placeOf(settings.SpeechToTextProvider)}` as const,
  );

export const useSpeechPlace = (): Place =>
  useStore(places, (value) => value.split(" ")[0] as Place);
export const useDictationPlace = (): Place =>
  useStore(places, (value) => value.split(" ")[1] as Place);
