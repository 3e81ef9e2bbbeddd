import { useQuery, type QueryKey } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Suspense, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NameDialog } from "../components/ui/overlays.tsx";
import { refreshSoon } from "../features/documents/state/refresh.ts";
import {
  countsQuery,
  findThread,
  removalDelay,
  setThreadName,
  threadsQuery,
  touchThread,
  useCreateThread,
  useCreateWorkspace,
} from "../features/shell/api/workspaces.ts";
import { AppShell } from "../features/shell/components/app-shell.tsx";
import {
  QueueFooter,
  SideLabel,
  Sidebar,
  SidebarActions,
  toggleSidebar,
} from "../features/shell/components/sidebar.tsx";
import { WorkspaceList } from "../features/shell/components/workspace-list.tsx";
import { storeRecentPlace } from "../features/shell/state/recent-places.ts";
import { clearWriting, recordGeneration } from "../features/shell/state/thread-marks.ts";
import { onChange } from "../lib/changes.ts";
import { useWorkspaceRights } from "../lib/current-user.ts";
import { onFirstUse } from "../lib/first-use.ts";
import { useShortcuts } from "../lib/keyboard.ts";
import { lazyPart } from "../lib/lazy-part.ts";
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
import { UserFoot } from "./-user-foot.tsx";

const conversationKeys = [
  threadKeys.all,
  documentKeys.all,
  turnKeys.all,
  turnKeys.allGenerations,
] as const;

/** Applies the change stream to the cache, so that no page polls. */
function useLiveChanges(workspaceSlug: string | null, threadSlug: string | null): void {
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

const loadPalette = (): Promise<typeof import("./-palette.tsx")> => import("./-palette.tsx");
const showBudgetNotices = async (): Promise<void> =>
  (await import("../features/usage/state/budget-notices.ts")).showBudgetNotices();
const Palette = lazyPart(loadPalette);
const HelpDialog = lazyPart(() => import("../features/shell/components/help-dialog.tsx"));

/** Sidebar, shortcuts, palette and live updates around every page of the app. */
export function AppFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation(["shell", "common"]);
  const navigate = useNavigate();
  const { workspaceSlug = null, threadSlug = null } = useParams({ strict: false });
  const workspaces = useQuery(workspacesQuery);
  const counts = useQuery(countsQuery);
  const threads = useQuery({
    ...threadsQuery(workspaceSlug ?? ""),
    enabled: workspaceSlug !== null,
  });
  const [open, setOpen] = useState<"palette" | "help" | "workspace" | null>(null);
  const close = useCallback(() => setOpen(null), []);
  useLiveChanges(workspaceSlug, threadSlug);
  // Preloaded so that typing right after the shortcut reaches the palette.
  useEffect(() => onFirstUse(loadPalette), []);
  useEffect(() => onFirstUse(showBudgetNotices), []);

  // Records recent places for the palette, with the names known at that point.
  const workspaceName = workspaces.data?.find((each) => each.slug === workspaceSlug)?.name;
  const threadName =
    findThread(threads.data?.threads, threadSlug)?.name ??
    (threadSlug === null ? t("defaultThread") : undefined);
  useEffect(() => {
    if (workspaceSlug !== null && workspaceName !== undefined && threadName !== undefined)
      storeRecentPlace({ slug: workspaceSlug, thread: threadSlug, workspaceName, threadName });
  }, [workspaceSlug, threadSlug, workspaceName, threadName]);

  const target = workspaceSlug ?? workspaces.data?.[0]?.slug ?? null;
  const createWorkspace = useCreateWorkspace();
  const { mutate: createThread } = useCreateThread();
  const newThread = useCallback(
    (slug: string) =>
      createThread(slug, {
        onSuccess: (thread) =>
          void navigate({
            to: "/workspace/$workspaceSlug/t/$threadSlug",
            params: { workspaceSlug: slug, threadSlug: thread.slug },
          }),
      }),
    [createThread, navigate],
  );
  const { creates, isKnown } = useWorkspaceRights();
  useShortcuts(
    useMemo(
      () => [
        { key: "k", run: () => setOpen((before) => (before === "palette" ? null : "palette")) },
        {
          key: "o",
          shift: true,
          run: () => {
            if (target) newThread(target);
          },
        },
        { key: "/", run: () => setOpen((before) => (before === "help" ? null : "help")) },
        { key: "b", run: toggleSidebar },
      ],
      [newThread, target],
    ),
  );

  const waiting = (counts.data ?? []).filter((count) => count.pending > 0);
  const pending = waiting.reduce((sum, count) => sum + count.pending, 0);
  const busy =
    workspaces.data?.find((workspace) =>
      waiting.some((count) => count.workspaceId === workspace.id),
    )?.slug ?? null;
  const newWorkspace = (
    <NameDialog
      open
      title={t("newWorkspace")}
      label={t("name")}
      initial=""
      placeholder={t("newWorkspacePlaceholder")}
      action={t("createWorkspace")}
      busyAction={t("creating")}
      onClose={close}
      problemOf={(message) => t("workspaceNotCreated", { message })}
      onSubmit={async (name) => {
        const workspace = await createWorkspace.mutateAsync(name);
        await navigate({
          to: "/workspace/$workspaceSlug",
          params: { workspaceSlug: workspace.slug },
        });
      }}
    />
  );
  return (
    <AppShell
      sidebar={
        <Sidebar
          label={t("workspaces")}
          head={
            <SidebarActions
              onSearch={() => setOpen("palette")}
              onNewThread={target ? () => newThread(target) : null}
            />
          }
          foot={<UserFoot queue={<QueueFooter pending={pending} slug={busy} />} />}
        >
          <SideLabel
            action={t("newWorkspace")}
            onAction={creates ? () => setOpen("workspace") : null}
            closed={isKnown}
          >
            {t("workspaces")}
          </SideLabel>
          <WorkspaceList
            current={workspaceSlug}
            currentThread={threadSlug}
            onNewThread={newThread}
          />
        </Sidebar>
      }
    >
      {children}
      {open === "workspace" && newWorkspace}
      <Suspense>
        {open === "palette" && (
          <Palette
            workspaceSlug={workspaceSlug}
            threadSlug={threadSlug}
            target={target}
            onNewThread={newThread}
            onNewWorkspace={() => setOpen("workspace")}
            onHelp={() => setOpen("help")}
            onClose={close}
          />
        )}
        {open === "help" && <HelpDialog onClose={close} />}
      </Suspense>
    </AppShell>
  );
}
