import {
  dropPreviousIndex,
  getIndexState,
  stopIndexBuild,
  undoIndexSwitch,
  type IndexTarget,
  type ProviderDeclaration,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";

/** How many passages were embedded at a time, in ms as of `performance.now()`. */
export interface EmbeddedSample {
  at: number;
  done: number;
}

/** Older samples say little about the current speed. */
const windowMs = 60_000;
const minMs = 3_000;

/** Adds a sample. Starts over if the count dropped, as it does when documents are re-embedded. */
export const addSample = (samples: readonly EmbeddedSample[], sample: EmbeddedSample) =>
  samples.length > 0 && sample.done < samples.at(-1)!.done
    ? [sample]
    : [...samples.filter(({ at }) => sample.at - at <= windowMs), sample];

/** Passages per second; null while there is too little data. */
export function rateOf(samples: readonly EmbeddedSample[]): number | null {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.at - first.at < minMs || last.done === first.done) return null;
  return ((last.done - first.done) / (last.at - first.at)) * 1000;
}

export const indexKeys = { state: ["index-state"] } as const;

/** Samples of the embedding in progress. */
let samples: readonly EmbeddedSample[] = [];
/** Interval for polling the state while documents are embedded, in ms. */
const pollMs = 2_000;

/** The active index, the one being built, and the previous one. */
export const indexStateQuery = queryOptions({
  queryKey: indexKeys.state,
  staleTime: 0,
  queryFn: async ({ signal }) => {
    const state = await call(getIndexState, {}, { signal });
    const { running, passagesDone } = state.embedding;
    samples = running > 0 ? addSample(samples, { at: performance.now(), done: passagesDone }) : [];
    return { ...state, rate: rateOf(samples) };
  },
  // No event reports individual documents.
  refetchInterval: ({ state: { data } }) =>
    data && data.embedding.running + data.embedding.waiting > 0 ? pollMs : false,
});

const operations = {
  stop: stopIndexBuild,
  undo: undoIndexSwitch,
  drop: dropPreviousIndex,
} as const;
export type IndexAction = keyof typeof operations;

/**
 * Stops the build, switches back to the previous index, or deletes it. Stopping and switching back
 * also change the settings.
 */
export const useChangeIndex = () =>
  useMutation({
    mutationFn: async (action: IndexAction): Promise<void> => {
      await call(operations[action], {});
    },
    meta: {
      invalidates: [indexKeys.state, instanceKeys.providers, instanceKeys.setup],
      errorToast: (message) => i18next.t("settings:index.failed", { message }),
    },
  });

/** The vector store's declared name, or its ID until the declarations are known. */
export const storeOf = (
  target: IndexTarget,
  declared: readonly ProviderDeclaration[] = [],
): string =>
  declared.find(({ kind, id }) => kind === "vector" && id === target.vectorDatabase)?.name ??
  target.vectorDatabase;
