import { CarrelError, type WorkspaceScope } from "@carrel/contracts";
import type { ThreadRepository } from "./thread.repository.ts";

/** Deliberately the same for missing threads and other users' threads. */
export const threadNotFound = (): CarrelError => new CarrelError("thread.not-found");

/**
 * Resolves a slug to the thread's ID (null: the caller's default thread). Returns null only for a
 * default thread that has no message yet; throws THREAD_NOT_FOUND for any other missing one.
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
