import { CarrelError, type WorkspaceScope } from "@carrel/contracts";
import type { ThreadRepository } from "./thread.repository.ts";

/** Missing and not the caller's look the same. */
export const threadNotFound = (): CarrelError =>
  new CarrelError("THREAD_NOT_FOUND", "Workspace thread does not exist.");

/**
 * The id of the thread with this slug (null: the caller's default thread). null only for a default
 * thread that has no message yet; throws THREAD_NOT_FOUND for any other that is missing.
 */
export async function resolveThread(
  threads: ThreadRepository,
  scope: WorkspaceScope,
  slug: string | null,
): Promise<number | null> {
  const thread = await threads.find(scope, slug);
  if (thread === null && slug !== null) throw threadNotFound();
  return thread?.id ?? null;
}
