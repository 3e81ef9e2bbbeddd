import { Link } from "@tanstack/react-router";
import { PanelLeft, Plus, Search, Settings2, SquarePen } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Logo } from "../../../components/ui/logo.tsx";
import { ProgressBar } from "../../../components/ui/progress-bar.tsx";
import { formatPercent } from "../../../lib/format.ts";
import { shortcutLabel } from "../../../lib/keyboard.ts";
import { useQueue } from "../state/queue.ts";
import { toggleSidebar } from "../state/sidebar.ts";

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
    <aside className="side" aria-label={label}>
      <div className="side-head">
        <Link to="/" className="rounded" aria-label={t("home")}>
          <Logo />
        </Link>
        <IconButton label={`${t("hideSidebar")} (${shortcutLabel("B")})`} onClick={toggleSidebar}>
          <PanelLeft className="i" />
        </IconButton>
      </div>
      {head && <div className="side-acts">{head}</div>}
      <nav className="side-scroll" aria-label={label}>
        {children}
      </nav>
      {foot && <div className="side-foot">{foot}</div>}
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
      <button type="button" className="nav" onClick={onSearch}>
        <Search className="i" />
        <span className="grow">{t("search")}</span>
        <kbd>{shortcutLabel("K")}</kbd>
      </button>
      {onNewThread && (
        <button type="button" className="nav" onClick={onNewThread}>
          <SquarePen className="i" />
          <span className="grow">{t("newThread")}</span>
        </button>
      )}
    </>
  );
}

/** Embedding progress, linking to the workspace the documents belong to. */
export function QueueFooter({ pending, slug }: { pending: number; slug: string | null }) {
  const { t } = useTranslation("shell");
  const queue = useQueue(pending);
  if (!queue || !slug) return null;
  const words = t("embedding", { current: queue.current, count: queue.total });
  return (
    <Link
      className="jobs"
      to="/workspace/$workspaceSlug/documents"
      params={{ workspaceSlug: slug }}
    >
      <span className="row xs">
        <span className="t2 grow cut">{words}</span>
        <span className="t3 num">{formatPercent(queue.share)}</span>
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
      <div className="user">{children}</div>
    </>
  );
}

/** Link to the settings: a full row, or just its icon next to the user. */
export function SettingsLink({ small }: { small: boolean }) {
  const { t } = useTranslation("shell");
  return small ? (
    <Link to="/settings" className="ib" aria-label={t("settings")} title={t("settings")}>
      <Settings2 className="i" />
    </Link>
  ) : (
    <Link to="/settings" className="nav grow">
      <Settings2 className="i" />
      <span>{t("settings")}</span>
    </Link>
  );
}

export function SideLabel({
  children,
  action,
  onAction,
}: {
  children: ReactNode;
  action: string;
  /** null if the user may not do it. */
  onAction: (() => void) | null;
}) {
  return (
    <div className="side-label">
      <span>{children}</span>
      {onAction && (
        <IconButton label={action} onClick={onAction}>
          <Plus className="i" />
        </IconButton>
      )}
    </div>
  );
}
