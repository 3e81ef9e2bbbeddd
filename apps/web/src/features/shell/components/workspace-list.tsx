import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import {
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  CalendarClock,
  ChevronDown,
  ChevronRight,
  Ellipsis,
  Files,
  Pencil,
  Plus,
  Settings2,
  Trash2,
} from "lucide-react";
import { Suspense, useRef, useState, type KeyboardEvent, type PointerEvent } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { navRow } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { useWorkspaceRights } from "../../../lib/current-user.ts";
import { formatNumber, shortenName } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import {
  countOf,
  countsQuery,
  moveTo,
  storeOrder,
  trashQuery,
  useOrdered,
} from "../api/workspaces.ts";
import { ThreadList } from "./thread-list.tsx";
import { rowActions, underActions } from "./thread-nav.ts";

const WorkspaceDialog = lazyPart(() => import("./workspace-dialog.tsx"));
const WorkspacePicture = lazyPart(() => import("./workspace-picture.tsx"));

/**
 * One workspace of the sidebar with its menu; it can be dragged, or moved with Alt and an arrow.
 */
function WorkspaceRow({
  workspace,
  documents,
  current,
  currentThread,
  onNewThread,
  place,
  last,
  onMove,
}: {
  workspace: WorkspaceWire;
  documents: number | null;
  current: boolean;
  currentThread: string | null;
  onNewThread: (slug: string) => void;
  place: number;
  last: number;
  onMove: (place: number) => void;
}) {
  const { t } = useTranslation(["shell", "common"]);
  const router = useRouter();
  const [expanded, setExpanded] = useState<boolean | null>(null);
  const [dialog, setDialog] = useState<"rename" | "delete" | "archive" | "trash" | null>(null);
  const { manages, isKnown } = useWorkspaceRights();
  const isManaged = manages(workspace.id);
  const open = expanded ?? current;
  const { slug, name } = workspace;
  const days = useQuery({ ...trashQuery(slug), enabled: open }).data?.days ?? 0;
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (
      event.pointerType === "touch" ||
      event.button !== 0 ||
      last === 0 ||
      !(event.target as Element).closest("a")
    )
      return;
    const item = event.currentTarget.closest("li");
    const start = { x: event.clientX, y: event.clientY };
    // If the button is released before the module has loaded, it was a click: a drag started then
    // would follow the pointer with no button pressed.
    const held = new AbortController();
    const release = (): void => held.abort();
    for (const type of ["pointerup", "pointercancel"])
      addEventListener(type, release, { capture: true, signal: held.signal });
    if (item)
      void import("../state/workspace-drag.ts").then(({ dragWorkspace }) => {
        if (!held.signal.aborted) dragWorkspace(start, item, onMove);
      });
  };
  const keys = (event: KeyboardEvent): void => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!event.altKey || event.ctrlKey || event.metaKey || step === undefined) return;
    event.preventDefault();
    if (place + step >= 0 && place + step <= last) onMove(place + step);
  };
  const items: MenuItem[] = [
    ...(isManaged
      ? [
          {
            label: t("workspaceSettings"),
            icon: Settings2,
            run: () =>
              void router.navigate({
                href: `/workspace/${encodeURIComponent(slug)}/settings/general-appearance`,
              }),
          },
        ]
      : isKnown
        ? [
            {
              label: t("workspaceSettings"),
              icon: Settings2,
              closed: "manageWorkspace" as const,
              run: () => undefined,
            },
          ]
        : []),
    {
      label: t("openDocuments"),
      icon: Files,
      run: () =>
        void router.navigate({
          to: "/workspace/$workspaceSlug/documents",
          params: { workspaceSlug: slug },
        }),
    },
    { label: t("newThread"), icon: Plus, run: () => onNewThread(slug) },
    {
      label: t("schedules"),
      icon: CalendarClock,
      run: () =>
        void router.navigate({
          to: "/schedules/{-$scheduleId}",
          params: {},
          search: { workspace: slug },
        }),
    },
    ...(days > 0
      ? [{ label: t("trash"), icon: ArchiveRestore, run: () => setDialog("trash") }]
      : []),
    ...(last > 0
      ? [
          {
            label: t("moveUp"),
            icon: ArrowUp,
            disabled: place === 0,
            shortcut: "Alt ↑",
            run: () => onMove(place - 1),
          },
          {
            label: t("moveDown"),
            icon: ArrowDown,
            disabled: place === last,
            shortcut: "Alt ↓",
            run: () => onMove(place + 1),
          },
        ]
      : []),
    ...(isManaged
      ? [
          { label: t("rename"), icon: Pencil, run: () => setDialog("rename") },
          {
            label: t("deleteWorkspace"),
            icon: Trash2,
            danger: true,
            run: () => setDialog("delete"),
          },
        ]
      : []),
  ];
  return (
    <li
      className="relative data-dragged:opacity-55 data-drop:after:absolute data-drop:after:inset-x-1 data-drop:after:z-1 data-drop:after:h-0.5 data-drop:after:rounded-[1px] data-drop:after:bg-accent-solid data-[drop=after]:after:-bottom-px data-[drop=before]:after:-top-px"
      data-workspace={slug}
    >
      <div
        className="group/row relative flex items-center"
        onPointerDown={drag}
        onPointerEnter={() => void import("../state/workspace-drag.ts")}
        onKeyDown={keys}
      >
        <button
          type="button"
          className="grid h-7.5 w-6 flex-none place-items-center rounded-sm text-fg-3 hover:bg-hover hover:text-fg-1 max-md:h-10 max-md:w-8"
          aria-expanded={open}
          aria-label={open ? t("hideThreads", { name }) : t("showThreads", { name })}
          onClick={() => setExpanded(!open)}
        >
          {open ? (
            <ChevronDown className="size-3.5 stroke-2" />
          ) : (
            <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" />
          )}
        </button>
        <Link
          className={cn(
            navRow,
            "min-w-0 flex-1 gap-1.5 ps-1 font-medium text-fg-1 group-hover/row:bg-hover aria-[current]:bg-transparent aria-[current]:group-hover/row:bg-selected max-md:pe-21 max-md:aria-[current]:bg-transparent",
          )}
          to="/workspace/$workspaceSlug"
          params={{ workspaceSlug: slug }}
          onClick={() => setExpanded(null)}
          activeOptions={{ exact: true }}
          draggable={false}
          aria-keyshortcuts={last > 0 ? "Alt+ArrowUp Alt+ArrowDown" : undefined}
        >
          {workspace.pfpFilename && (
            <Suspense>
              <WorkspacePicture slug={slug} file={workspace.pfpFilename} />
            </Suspense>
          )}
          <span className="truncate" title={name} dir="auto">
            {shortenName(name)}
          </span>
          {documents !== null && (
            <span
              className={cn("ms-auto text-2xs/5 font-regular text-fg-3 tabular-nums", underActions)}
            >
              <span aria-hidden="true">{formatNumber(documents)}</span>
              <span className="sr-only">{t("documents", { count: documents })}</span>
            </span>
          )}
        </Link>
        <span className={rowActions}>
          <IconButton label={t("newThreadIn", { name })} onClick={() => onNewThread(slug)}>
            <Plus className="size-3.5 stroke-2" />
          </IconButton>
          <Menu
            trigger={
              <IconButton label={t("workspaceMenu", { name })}>
                <Ellipsis className="size-3.5 stroke-2" />
              </IconButton>
            }
            items={items}
          />
        </span>
      </div>
      {open && (
        <ThreadList
          slug={slug}
          current={current}
          currentThread={currentThread}
          onNewThread={onNewThread}
          onShow={setDialog}
        />
      )}
      {dialog && (
        <Suspense>
          <WorkspaceDialog
            kind={dialog}
            workspace={workspace}
            current={current}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </li>
  );
}

/** Workspaces in the user's order, with document counts; the open one shows its threads. */
export function WorkspaceList({
  current,
  currentThread,
  onNewThread,
}: {
  current: string | null;
  currentThread: string | null;
  onNewThread: (slug: string) => void;
}) {
  const { t } = useTranslation("shell");
  const workspaces = useQuery(workspacesQuery);
  const counts = useQuery(countsQuery);
  const ordered = useOrdered(workspaces.data);
  const [said, say] = useState("");
  const list = useRef<HTMLUListElement>(null);
  if (workspaces.isPending)
    return (
      <div className="grid gap-3 p-2" aria-label={t("loadingWorkspaces")}>
        {[70, 52, 60].map((width) => (
          <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  const move = (workspace: WorkspaceWire, place: number): void => {
    const ids = moveTo(
      ordered.map((each) => each.id),
      workspace.id,
      place,
    );
    const focused = document.activeElement;
    storeOrder(ids);
    say(
      t("workspaceMoved", {
        name: workspace.name,
        place: ids.indexOf(workspace.id) + 1,
        count: ids.length,
      }),
    );
    // Some browsers blur an element that moves in the DOM.
    requestAnimationFrame(() => {
      if (focused instanceof HTMLElement && list.current?.contains(focused)) focused.focus();
    });
  };
  return (
    <>
      <ul ref={list}>
        {ordered.map((workspace, place) => (
          <WorkspaceRow
            key={workspace.id}
            workspace={workspace}
            documents={countOf(counts.data, workspace.id)?.documents ?? null}
            current={workspace.slug === current}
            currentThread={currentThread}
            onNewThread={onNewThread}
            place={place}
            last={ordered.length - 1}
            onMove={(next) => move(workspace, next)}
          />
        ))}
      </ul>
      <p className="sr-only" role="status">
        {said}
      </p>
    </>
  );
}
