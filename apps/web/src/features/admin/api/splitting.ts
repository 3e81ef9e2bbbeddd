import { listPreferences, updatePreferences, type Args } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";

const splittingKeys = { settings: ["splitting"] } as const;

export interface Splitting {
  /** In characters. */
  size: number;
  overlap: number;
  /** The longest text the embedder accepts, in characters. */
  maxSize: number;
}
const numberOf = (value: unknown, fallback: number): number =>
  value !== null && value !== undefined && Number.isFinite(Number(value))
    ? Number(value)
    : fallback;

/** How documents are split into passages; defaults from wire-contract 6.4. */
export const splittingQuery = queryOptions({
  queryKey: splittingKeys.settings,
  queryFn: ({ signal }) =>
    call(
      listPreferences,
      { labels: "text_splitter_chunk_size,text_splitter_chunk_overlap,max_embed_chunk_size" },
      { signal },
    ),
  select: ({ settings }): Splitting => {
    const maxSize = numberOf(settings.max_embed_chunk_size, 1000);
    return {
      size: Math.min(numberOf(settings.text_splitter_chunk_size, maxSize), maxSize),
      overlap: numberOf(settings.text_splitter_chunk_overlap, 20),
      maxSize,
    };
  },
});

export const useSaveSplitting = () =>
  useMutation({
    mutationFn: async ({ size, overlap }: Pick<Splitting, "size" | "overlap">) => {
      // The request body is the flat map itself.
      const preferences = {
        text_splitter_chunk_size: String(size),
        text_splitter_chunk_overlap: String(overlap),
      } as unknown as Args<typeof updatePreferences>;
      await call(updatePreferences, preferences);
    },
    meta: { invalidates: [splittingKeys.settings], errorToast: false },
  });
