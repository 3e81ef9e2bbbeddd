import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Suspense, lazy, useCallback, useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NameDialog } from "../components/ui/dialogs.tsx";
import {
  countsQuery,
  findThread,
  threadsQuery,
  useCreateThread,
  useCreateWorkspace,
} from "../features/shell/api/workspaces.ts";
import { AppShell } from "../features/shell/components/app-shell.tsx";
import {
  QueueFooter,
  SideLabel,
  Sidebar,
  SidebarActions,
} from "../features/shell/components/sidebar.tsx";
import { WorkspaceList } from "../features/shell/components/workspace-list.tsx";
import { storeRecentPlace } from "../features/shell/state/recent-places.ts";
import { toggleSidebar } from "../features/shell/state/sidebar.ts";
import { useWorkspaceRights } from "../lib/current-user.ts";
import { onFirstUse } from "../lib/first-use.ts";
import { useShortcuts } from "../lib/keyboard.ts";
import { workspacesQuery } from "../lib/workspaces.ts";
import { useLiveChanges } from "./-live-changes.ts";
import { UserFoot } from "./-user-foot.tsx";

const loadPalette = (): Promise<typeof import("./-palette.tsx")> => import("./-palette.tsx");
const showBudgetNotices = async (): Promise<void> =>
  (await import("../features/usage/state/budget-notices.ts")).showBudgetNotices();
const Palette = lazy(loadPalette);
const HelpDialog = lazy(() => import("../features/shell/components/help-dialog.tsx"));

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
            closed={isKnown ? t("common:closed.createWorkspaces") : null}
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
