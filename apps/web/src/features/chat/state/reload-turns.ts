import { queryClient } from "../../../lib/query-client.ts";
import { turnKeys } from "../../../lib/query-keys.ts";

/**
 * Reads a thread's turns again. Resolves once they have been read, however long the server is away.
 */
export async function reloadTurns({
  slug,
  threadSlug,
}: {
  slug: string;
  threadSlug: string | null;
}): Promise<void> {
  const queryKey = turnKeys.list(slug, threadSlug);
  // A failed read leaves it invalidated.
  const isRead = (): boolean => queryClient.getQueryState(queryKey)?.isInvalidated === false;
  const reading = queryClient.invalidateQueries({ queryKey });
  if (queryClient.getQueryState(queryKey) === undefined) return reading;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = queryClient.getQueryCache().subscribe(() => {
    if (isRead()) resolve();
  });
  if (isRead()) resolve();
  await promise;
  stop();
}
