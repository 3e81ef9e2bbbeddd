import type { ThreadWire } from "@carrel/contracts";
import type { Thread } from "./thread.entity.ts";

/** Only threads with a slug go on the wire. */
export function mapThread(thread: Thread & { slug: string }): ThreadWire {
  return {
    id: thread.id,
    name: thread.name,
    slug: thread.slug,
    workspace_id: thread.workspaceId,
    user_id: thread.userId,
    createdAt: thread.createdAt.toISOString(),
    lastUpdatedAt: thread.lastUpdatedAt.toISOString(),
  };
}
