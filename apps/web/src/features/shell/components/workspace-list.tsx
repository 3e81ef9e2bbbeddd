import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useRouter } from "@tanstack/react-router";
import {
  ArchiveRestore,
  ArrowDown,
  ArrowUp,
  ChevronDown,
  ChevronRight,
  Ellipsis,
  Files,
  Pencil,
  Plus,
  Settings2,
  Trash2,
} from "lucide-react";
import {
  lazy,
  Suspense,
  useCallback,
  useRef,
  useState,
  type KeyboardEvent,
  type PointerEvent,
} from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu, type MenuItem } from "../../../components/ui/menu.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatNumber, shortenName } from "../../../lib/format.ts";
import { countOf, countsQuery, trashQuery } from "../api/workspaces.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { moveTo, storeOrder, useOrdered } from "../state/workspace-order.ts";
import { ThreadList } from "./thread-list.tsx";

const WorkspaceDialog = lazy(() => import("./workspace-dialog.tsx"));
const WorkspacePicture = lazy(() => import("./workspace-picture.tsx"));

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
          <span className="skel" key={width} style={{ inlineSize: `${width}%` }} />
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
      <p className="vh" role="status">
        {said}
      </p>
    </>
  );
}

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
  const { t } = useTranslation("shell");
  const router = useRouter();
  const [expanded, setExpanded] = useState<boolean | null>(null);
  const [dialog, setDialog] = useState<"rename" | "delete" | "trash" | null>(null);
  const { manager } = useRights();
  const open = expanded ?? current;
  const { slug, name } = workspace;
  const days = useQuery({ ...trashQuery(slug), enabled: open }).data?.days ?? 0;
  const showTrash = useCallback(() => setDialog("trash"), []);
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    if (
      event.pointerType === "touch" ||
      event.button !== 0 ||
      last === 0 ||
      !(event.target as Element).closest(".nav")
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
    ...(manager
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
    ...(days > 0 ? [{ label: t("trash"), icon: ArchiveRestore, run: showTrash }] : []),
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
    ...(manager
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
    <li className="ws">
      <div
        className="wsrow"
        onPointerDown={drag}
        onPointerEnter={() => void import("../state/workspace-drag.ts")}
        onKeyDown={keys}
      >
        <button
          type="button"
          className="twist"
          aria-expanded={open}
          aria-label={open ? t("hideThreads", { name }) : t("showThreads", { name })}
          onClick={() => setExpanded(!open)}
        >
          {open ? <ChevronDown className="i sm" /> : <ChevronRight className="i sm flip" />}
        </button>
        <Link
          className="nav med"
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
          <span className="cut" title={name}>
            {shortenName(name)}
          </span>
          {documents !== null && (
            <span className="count num">
              <span aria-hidden="true">{formatNumber(documents)}</span>
              <span className="vh">{t("documents", { count: documents })}</span>
            </span>
          )}
        </Link>
        <span className="more">
          <IconButton label={t("newThreadIn", { name })} onClick={() => onNewThread(slug)}>
            <Plus className="i sm" />
          </IconButton>
          <Menu
            trigger={
              <IconButton label={t("workspaceMenu", { name })}>
                <Ellipsis className="i sm" />
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
          onTrash={showTrash}
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
