import {
  cancelLocalModel,
  deleteLocalModel,
  downloadLocalModel,
  listLocalModels,
  type LocalModelDownload,
  type LocalModels,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import localModels from "../locales/en/local-models.json" with { type: "json" };
import { call } from "./api.ts";
import { addTexts } from "./i18n.ts";
import { instanceKeys } from "./query-keys.ts";

// Loaded with the pages that show models, not with the first one.
addTexts("local-models", localModels);

/** The provider that runs them, and the setting with the file's name. */
export const localProvider = "local-gguf";
export const localModelKey = "LocalGgufModelPref";

const pollMs = 1_000;
export const isRunning = ({ state }: LocalModelDownload): boolean => state !== "failed";

interface Sample {
  id: string;
  at: number;
  bytes: number;
}
/** Of the running download, over the last half minute. */
let samples: readonly Sample[] = [];
const windowMs = 30_000;
const minMs = 2_000;

function noteProgress(running: LocalModelDownload | undefined): number | null {
  const now = performance.now();
  if (running === undefined) {
    samples = [];
    return null;
  }
  samples = [
    ...samples.filter(({ id, at }) => id === running.id && now - at <= windowMs),
    { id: running.id, at: now, bytes: running.doneBytes },
  ];
  const first = samples[0]!;
  const gained = running.doneBytes - first.bytes;
  if (now - first.at < minMs || gained <= 0) return null;
  return ((running.totalBytes - running.doneBytes) * (now - first.at)) / gained / 1000;
}

export type KnownModels = LocalModels & { secondsLeft: number | null };

/** Models that Carrel runs itself, and how long the running download will still take. */
export const localModelsQuery = queryOptions({
  queryKey: instanceKeys.localModels,
  staleTime: 0,
  queryFn: async ({ signal }): Promise<KnownModels> => {
    const models = await call(listLocalModels, {}, { signal });
    return { ...models, secondsLeft: noteProgress(models.downloads.find(isRunning)) };
  },
  refetchInterval: ({ state: { data } }) => (data?.downloads.some(isRunning) ? pollMs : false),
});

const meta = { invalidates: [instanceKeys.localModels] };

/** The person has seen the licence beside the button. */
export const useDownloadModel = () =>
  useMutation({
    mutationFn: ({ id, useWhenReady }: { id: string; useWhenReady: boolean }) =>
      call(downloadLocalModel, { id, useWhenReady, licenseAccepted: true }),
    meta,
  });
export const useCancelModel = () =>
  useMutation({ mutationFn: (id: string) => call(cancelLocalModel, { id }), meta });
export const useDeleteModel = () =>
  useMutation({ mutationFn: (file: string) => call(deleteLocalModel, { file }), meta });
