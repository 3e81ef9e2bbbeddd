import { createThread } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { createFileRoute, redirect } from "@tanstack/react-router";
import { call } from "../lib/api.ts";
import { requireWorkspace } from "./-guards.ts";

const longestDraft = 2_000;

/** Starts a thread with a question to complete, for links from the browser extension. */
export const Route = createFileRoute("/_app/workspace/$workspaceSlug/new")({
  // The router reads a number as a number.
  validateSearch: ({ ask }: Record<string, unknown>): { ask?: string } =>
    typeof ask === "string" || typeof ask === "number"
      ? { ask: clipText(String(ask), longestDraft) }
      : {},
  beforeLoad: async ({ context, params: { workspaceSlug }, search, preload }) => {
    if (preload) return;
    await requireWorkspace(context.queryClient, workspaceSlug);
    const [{ threadKey }, { writeDraft }] = await Promise.all([
      import("../features/chat/state/generations.ts"),
      import("../features/chat/state/draft.ts"),
    ]);
    const { thread } = await call(createThread, { slug: workspaceSlug });
    const threadSlug = thread!.slug;
    writeDraft(threadKey(workspaceSlug, threadSlug), search.ask ?? "");
    throw redirect({
      to: "/workspace/$workspaceSlug/t/$threadSlug",
      params: { workspaceSlug, threadSlug },
      replace: true,
    });
  },
});
