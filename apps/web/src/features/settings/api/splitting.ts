import { listPreferences, updatePreferences } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export interface Splitting {
  /** Characters. */ size: number;
  overlap: number;
  /** Longest text that the embedder takes. */ longest: number;
}
const numberOf = (value: unknown, fallback: number): number =>
  value !== null && value !== undefined && Number.isFinite(Number(value))
    ? Number(value)
    : fallback;

/**
 * How documents are cut into passages; what was never set has the defaults of wire-contract 6.4.
 */
export const splittingQuery = queryOptions({
  queryKey: ["splitting"],
  queryFn: ({ signal }) =>
    call(
      listPreferences,
      { labels: "text_splitter_chunk_size,text_splitter_chunk_overlap,max_embed_chunk_size" },
      { signal },
    ),
  select: ({ settings }): Splitting => {
    const longest = numberOf(settings.max_embed_chunk_size, 1000);
    return {
      size: Math.min(numberOf(settings.text_splitter_chunk_size, longest), longest),
      overlap: numberOf(settings.text_splitter_chunk_overlap, 20),
      longest,
    };
  },
});

/** Throws with the server's reason. */
export async function saveSplitting(size: number, overlap: number): Promise<void> {
  // The body of this operation is the flat map itself.
  const { success, error } = await call(updatePreferences, {
    text_splitter_chunk_size: String(size),
    text_splitter_chunk_overlap: String(overlap),
  } as unknown as Parameters<typeof call<typeof updatePreferences>>[1]);
  await queryClient.invalidateQueries({ queryKey: ["splitting"] });
  if (!success) throw new Error(error ?? "");
}
