import { Link } from "@tanstack/react-router";
import { CalendarClock, PanelLeft, Plus, Search, Settings2, SquarePen } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton, iconButtonStyles } from "../../../components/ui/button.tsx";
import { ClosedDoor } from "../../../components/ui/closed-door.tsx";
import { Kbd } from "../../../components/ui/kbd.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { navRow } from "../../../components/ui/styles.ts";
import { cn } from "../../../lib/cn.ts";
import { formatPercent } from "../../../lib/format.ts";
import { shortcutLabel, withShortcut } from "../../../lib/keyboard.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { createStore, useStore } from "../../../lib/store.ts";

/**
 * Whether the sidebar is shown on wide windows (persisted), and whether its sheet is open on phones
 * (not persisted).
 */
const sidebar = createStore({ shown: readStored(keys.sidebar) !== "hidden", sheet: false });

const narrow = (): boolean => matchMedia("(max-width: 767px)").matches;
export const useSidebar = () => useStore(sidebar, (value) => value);
export const openSheet = (): void => sidebar.set((value) => ({ ...value, sheet: true }));
export const closeSheet = (): void =>
  sidebar.set((value) => (value.sheet ? { ...value, sheet: false } : value));

export function toggleSidebar(): void {
  if (narrow()) return sidebar.set((value) => ({ ...value, sheet: !value.sheet }));
  sidebar.set((value) => ({ ...value, shown: !value.shown }));
  writeStored(keys.sidebar, sidebar.get().shown ? null : "hidden");
}

/**
 * Logo, search and new thread; then the page's content; at the bottom the queue, settings and
 * sign-out.
 */
export function Sidebar({
  label,
  head,
  children,
  foot,
}: {
  label: string;
  head?: ReactNode;
  children: ReactNode;
  foot?: ReactNode;
}) {
  const { t } = useTranslation("shell");
  return (
    <aside
      className="flex min-h-0 flex-col bg-canvas max-md:invisible max-md:fixed max-md:inset-y-0 max-md:start-0 max-md:z-(--layer-sheet) max-md:w-[min(312px,86vw)] max-md:-translate-x-full max-md:transition-transform max-md:duration-(--motion-base) max-md:ease-out max-md:group-data-[sheet=nav]/app:visible max-md:group-data-[sheet=nav]/app:translate-none max-md:group-data-[sheet=nav]/app:shadow-dialog md:group-data-[sidebar=hidden]/app:hidden md:max-lg:group-has-[>[data-panel]]/app:hidden rtl:max-md:translate-x-full [&_:focus-visible]:-outline-offset-2"
      aria-label={label}
      data-slot="sidebar"
    >
      <div className="flex h-12 flex-none items-center justify-between ps-4 pe-2 max-md:[&_[data-slot=icon-button]]:size-10">
        <Link to="/" className="rounded" aria-label={t("home")}>
          <Logo />
        </Link>
        <IconButton label={withShortcut(t("hideSidebar"), "B")} onClick={toggleSidebar}>
          <PanelLeft />
        </IconButton>
      </div>
      {head && <div className="grid gap-0.5 px-2 pt-1 pb-2">{head}</div>}
      <nav
        className="flex-1 overflow-auto px-2 pb-4 [scrollbar-color:var(--border-default)_transparent] [scrollbar-width:thin]"
        aria-label={label}
      >
        {children}
      </nav>
      {foot && (
        <div className="grid gap-0.5 border-t border-subtle p-2 max-md:[&_[data-slot=icon-button]]:size-10!">
          {foot}
        </div>
      )}
    </aside>
  );
}

export function SidebarActions({
  onSearch,
  onNewThread,
}: {
  onSearch: () => void;
  onNewThread: (() => void) | null;
}) {
  const { t } = useTranslation("shell");
  return (
    <>
      <button type="button" className={navRow} onClick={onSearch}>
        <Search />
        <span className="min-w-0 flex-1">{t("search")}</span>
        <Kbd>{shortcutLabel("K")}</Kbd>
      </button>
      {onNewThread && (
        <button type="button" className={navRow} onClick={onNewThread}>
          <SquarePen />
          <span className="min-w-0 flex-1">{t("newThread")}</span>
        </button>
      )}
      <Link className={navRow} to="/schedules/{-$scheduleId}" params={{}} search={{}}>
        <CalendarClock />
        <span className="min-w-0 flex-1">{t("schedules")}</span>
      </Link>
    </>
  );
}

/**
 * Progress of documents from upload to embedding, linking to the workspace the documents belong to.
 */
export function QueueFooter({ pending, slug }: { pending: number; slug: string | null }) {
  const { t } = useTranslation("shell");
  const queue = useQueue(pending);
  if (!queue || !slug) return null;
  const words = t("processing", { current: queue.current, count: queue.total });
  return (
    <Link
      className="grid w-full gap-1.75 rounded-sm p-2 hover:bg-hover"
      to="/workspace/$workspaceSlug/documents"
      params={{ workspaceSlug: slug }}
    >
      <span className="flex items-center gap-2 text-xs">
        <span className="min-w-0 flex-1 truncate text-fg-2">{words}</span>
        <span className="text-fg-3 tabular-nums">{formatPercent(queue.share)}</span>
      </span>
      <ProgressBar value={queue.share} label={words} />
    </Link>
  );
}

/** The queue, then the user and settings. */
export function SidebarFoot({ queue, children }: { queue?: ReactNode; children: ReactNode }) {
  return (
    <>
      {queue}
      <div className="flex items-center gap-2 [&>[data-slot=icon-button]]:size-8">{children}</div>
    </>
  );
}

/** Link to the settings: a full row, or just its icon next to the user. */
export function SettingsLink({ small }: { small: boolean }) {
  const { t } = useTranslation("shell");
  return small ? (
    <Link
      to="/settings"
      className={iconButtonStyles}
      data-slot="icon-button"
      aria-label={t("settings")}
      title={t("settings")}
    >
      <Settings2 />
    </Link>
  ) : (
    <Link to="/settings" className={cn(navRow, "min-h-8 min-w-0 flex-1")}>
      <Settings2 />
      <span>{t("settings")}</span>
    </Link>
  );
}

/** A heading between the sidebar's rows. */
export const sideLabel =
  "flex items-center justify-between ps-2 pe-0.5 pt-3 pb-1 text-xs/6 font-medium text-fg-3 [&_[data-slot=icon-button]]:size-6 max-md:[&_[data-slot=icon-button]]:size-9";

export function SideLabel({
  children,
  action,
  onAction,
  closed,
}: {
  children: ReactNode;
  action: string;
  /** null if the user isn't allowed to. */
  onAction: (() => void) | null;
  /** Whether the user isn't allowed to; false until known. */
  closed: boolean;
}) {
  return (
    <div className={sideLabel}>
      <span>{children}</span>
      {onAction ? (
        <IconButton label={action} onClick={onAction}>
          <Plus />
        </IconButton>
      ) : (
        closed && (
          <ClosedDoor door="createWorkspaces">
            <IconButton label={action}>
              <Plus />
            </IconButton>
          </ClosedDoor>
        )
      )}
    </div>
  );
}

/**
 * "Processing 1 of 3 documents": the batch is everything queued since the queue was last empty.
 * `pending` is the number waiting now.
 */
export function nextBatch(previous: number, pending: number): number {
  return pending === 0 ? 0 : Math.max(previous, pending);
}

function useQueue(pending: number): { current: number; total: number; share: number } | null {
  const [total, setTotal] = useState(() => nextBatch(0, pending));
  const next = nextBatch(total, pending);
  if (next !== total) setTotal(next); // re-renders before anything is painted
  if (pending === 0) return null;
  const done = total - pending;
  return { current: done + 1, total, share: done / total };
}
