import { useEffect, useRef } from "react";
import { listThreads, listWorkspaces, type Out } from "@carrel/contracts";
import { useNavigate } from "@tanstack/react-router";
import { refreshSoon } from "../features/documents/state/refresh.ts";
import { removalDelay, setThreadName } from "../features/shell/api/workspaces.ts";
import { forgetWriting, noteGeneration } from "../features/shell/state/thread-activity.ts";
import { onChange } from "../lib/changes.ts";
import { queryClient } from "../lib/query-client.ts";

/** Puts what the instance says has changed into the caches, so that no page polls. */
export function useLiveChanges(workspaceSlug: string | null, threadSlug: string | null): void {
  const navigate = useNavigate();
  const here = useRef({ workspaceSlug, threadSlug });
  here.current = { workspaceSlug, threadSlug };
  useEffect(() => {
    const invalidate = (...queryKey: unknown[]): void =>
      void queryClient.invalidateQueries({ queryKey });
    const slugOf = (workspaceId: number): string | null =>
      queryClient
        .getQueryData<Out<typeof listWorkspaces>>(["workspaces"])
        ?.workspaces.find((workspace) => workspace.id === workspaceId)?.slug ?? null;
    const threadOf = (slug: string, threadId: number): string | null =>
      queryClient
        .getQueryData<Out<typeof listThreads>>(["threads", slug])
        ?.threads.find((thread) => thread.id === threadId)?.slug ?? null;
    return onChange((frame) => {
      switch (frame.type) {
        case "workspace.created":
        case "workspace.updated":
        case "workspace.deleted":
          invalidate("workspaces");
          return;
        case "workspace-documents.changed": {
          refreshSoon("document-counts"); // thousands of documents tell more often than one can see
          const slug = slugOf(frame.workspaceId);
          if (slug) refreshSoon("documents", slug);
          return;
        }
        case "generation.changed": {
          const slug = slugOf(frame.workspaceId);
          if (!slug) return;
          const thread = threadOf(slug, frame.threadId);
          const { workspaceSlug: openSlug, threadSlug: openThread } = here.current;
          noteGeneration(
            frame,
            slug === openSlug && thread === openThread && document.visibilityState === "visible",
          );
          invalidate("turns", slug, thread);
          invalidate("generation", slug, thread);
          // the default thread, or one that another tab made
          if (thread === null) invalidate("threads", slug);
          return;
        }
        case "thread.renamed": {
          const slug = slugOf(frame.workspaceId);
          if (!slug) return;
          if (threadOf(slug, frame.threadId) === null)
            invalidate("threads", slug); // made on another device
          else setThreadName(slug, frame.slug, frame.name);
          return;
        }
        case "turns.changed": {
          const slug = slugOf(frame.workspaceId);
          if (slug) invalidate("turns", slug, threadOf(slug, frame.threadId));
          return;
        }
        case "threads.changed": {
          const slug = slugOf(frame.workspaceId);
          if (!slug) return;
          invalidate("trash", slug);
          if (frame.change !== "deleted") return invalidate("threads", slug);
          // Where they were deleted they leave the list after their delay, and not before.
          setTimeout(() => invalidate("threads", slug), removalDelay + 100);
          const { workspaceSlug: openSlug, threadSlug: openThread } = here.current;
          if (slug === openSlug && openThread !== null && frame.slugs.includes(openThread))
            void navigate({ to: "/workspace/$workspaceSlug", params: { workspaceSlug: slug } });
          return;
        }
        case "settings.changed":
          invalidate("providers");
          invalidate("setup");
          invalidate("default-prompt");
          return;
        case "connected": // what was read before may have changed while nobody told it
          for (const key of ["threads", "documents", "turns", "generation"]) invalidate(key);
          return;
        case "reconnected":
          forgetWriting();
          for (const key of ["threads", "trash", "documents", "turns", "generation", "providers"])
            invalidate(key);
      }
    });
  }, [navigate]);
}
