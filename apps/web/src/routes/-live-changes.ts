import type { QueryKey } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { refreshSoon } from "../features/documents/state/refresh.ts";
import {
  removalDelay,
  setThreadName,
  threadsQuery,
  touchThread,
} from "../features/shell/api/workspaces.ts";
import { clearWriting, recordGeneration } from "../features/shell/state/thread-activity.ts";
import { onChange } from "../lib/changes.ts";
import { queryClient } from "../lib/query-client.ts";
import {
  documentKeys,
  instanceKeys,
  modelKeys,
  threadKeys,
  turnKeys,
  workspaceKeys,
} from "../lib/query-keys.ts";
import { workspacesQuery } from "../lib/workspaces.ts";

const conversationKeys = [
  threadKeys.all,
  documentKeys.all,
  turnKeys.all,
  turnKeys.allGenerations,
] as const;

/** Applies the change stream to the cache, so that no page polls. */
export function useLiveChanges(workspaceSlug: string | null, threadSlug: string | null): void {
  const navigate = useNavigate();
  const here = useRef({ workspaceSlug, threadSlug });
  useEffect(() => {
    here.current = { workspaceSlug, threadSlug };
  });
  useEffect(() => {
    const invalidate = (queryKey: QueryKey): void =>
      void queryClient.invalidateQueries({ queryKey });
    const invalidateConversations = (): void => {
      for (const key of conversationKeys) invalidate(key);
    };
    /**
     * Null until the workspaces are loaded; anything else loaded by then may belong to this one.
     */
    const slugOf = (workspaceId: number): string | null => {
      const workspaces = queryClient.getQueryData(workspacesQuery.queryKey)?.workspaces;
      if (!workspaces) invalidateConversations();
      return workspaces?.find((workspace) => workspace.id === workspaceId)?.slug ?? null;
    };
    /** Null for the default thread, and until the threads are loaded. */
    const threadOf = (slug: string, threadId: number): string | null => {
      const threads = queryClient.getQueryData(threadsQuery(slug).queryKey)?.threads;
      if (!threads) {
        invalidate(turnKeys.all);
        invalidate(turnKeys.allGenerations);
      }
      return threads?.find((thread) => thread.id === threadId)?.slug || null;
    };
    return onChange((frame) => {
      switch (frame.type) {
        case "workspace.created":
        case "workspace.updated":
        case "workspace.deleted":
          invalidate(workspaceKeys.list);
          invalidate(modelKeys.all);
          invalidate(instanceKeys.memberRights);
          return;
        case "workspace-documents.changed": {
          refreshSoon(documentKeys.counts);
          const slug = slugOf(frame.workspaceId);
          if (slug) refreshSoon(documentKeys.inWorkspace(slug));
          return;
        }
        case "generation.changed": {
          const slug = slugOf(frame.workspaceId);
          if (!slug) return;
          const thread = threadOf(slug, frame.threadId);
          const { workspaceSlug: openSlug, threadSlug: openThread } = here.current;
          recordGeneration(
            frame,
            slug === openSlug && thread === openThread && document.visibilityState === "visible",
          );
          invalidate(turnKeys.list(slug, thread));
          invalidate(turnKeys.generation(slug, thread));
          // The default thread, or one created in another tab.
          if (thread === null) invalidate(threadKeys.list(slug));
          else if (frame.state === "queued" || frame.state === "running") touchThread(slug, thread);
          return;
        }
        case "thread.renamed": {
          const slug = slugOf(frame.workspaceId);
          if (!slug) return;
          if (threadOf(slug, frame.threadId) === null) invalidate(threadKeys.list(slug)); // created on another device
          else setThreadName(slug, frame.slug, frame.name);
          return;
        }
        case "turns.changed": {
          const slug = slugOf(frame.workspaceId);
          if (slug) invalidate(turnKeys.list(slug, threadOf(slug, frame.threadId)));
          return;
        }
        case "threads.changed": {
          const slug = slugOf(frame.workspaceId);
          if (!slug) return;
          if (frame.change !== "marked") invalidate(threadKeys.trash(slug));
          if (frame.change !== "deleted") return invalidate(threadKeys.list(slug));
          // The tab that deleted them keeps showing them until the removal delay is over.
          setTimeout(() => invalidate(threadKeys.list(slug)), removalDelay + 100);
          if (frame.slugs.includes("")) invalidate(turnKeys.list(slug, null));
          const { workspaceSlug: openSlug, threadSlug: openThread } = here.current;
          if (slug === openSlug && openThread !== null && frame.slugs.includes(openThread))
            void navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } });
          return;
        }
        case "connected": // data read before this may be stale
          invalidateConversations();
          return;
        case "reconnected":
          clearWriting();
          invalidateConversations();
          invalidate(threadKeys.allTrash);
          invalidate(instanceKeys.providers);
      }
    });
  }, [navigate]);
}
