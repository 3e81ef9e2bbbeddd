import type { MarkedThread, WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { ArchiveRestore, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { ConfirmDialog, NameDialog } from "../../../components/ui/prompt-dialogs.tsx";
import { formatAgo, shortenName } from "../../../lib/format.ts";
import { threadName } from "../../../lib/thread-name.ts";
import { toast } from "../../../lib/toast.ts";
import {
  threadsQuery,
  trashQuery,
  useDeleteWorkspace,
  useRenameWorkspace,
} from "../api/workspaces.ts";
import { useThreadMarks } from "../state/thread-marks.ts";
import { usePurgeThread, useRestoreThread, useThreadRemoval } from "../state/thread-removal.ts";
import ThreadDialog from "./thread-dialog.tsx";
import { linkToThread } from "./thread-nav.ts";

const dayMs = 86_400_000;
/** Whole days until the thread is purged, at least one. */
const daysUntil = (iso: string): number =>
  Math.max(1, Math.ceil((new Date(iso).getTime() - Date.now()) / dayMs));

/** A workspace's deleted threads, to restore or delete permanently. */
function TrashDialog({ slug, name, onClose }: { slug: string; name: string; onClose: () => void }) {
  const { t } = useTranslation("shell");
  const { data } = useQuery({ ...trashQuery(slug), staleTime: 0 });
  const restore = useRestoreThread(slug);
  const purge = usePurgeThread(slug);
  const [purging, setPurging] = useState<{ slug: string; name: string } | null>(null);
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("trash")}
      description={data && t("trashText", { count: data.days, name })}
    >
      {data?.threads.length === 0 && <p className="text-fg-3">{t("trashEmpty")}</p>}
      {data && data.threads.length > 0 && (
        <ul
          className="-mx-2 grid max-h-[46dvh] gap-0.5 overflow-auto"
          tabIndex={0}
          aria-label={t("trash")}
        >
          {data.threads.map((thread) => (
            <li
              key={thread.id}
              className="flex min-h-12 items-center gap-2 rounded-sm px-2 hover:bg-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate" title={threadName(thread.name)} dir="auto">
                  {threadName(thread.name)}
                </span>
                <span className="block text-xs text-fg-3">
                  {t("trashRow", {
                    when: formatAgo(thread.deletedAt),
                    count: daysUntil(thread.purgedAt),
                  })}
                </span>
              </span>
              <Button
                className="max-md:h-9"
                size="sm"
                aria-label={t("restoreThread", { name: threadName(thread.name) })}
                onClick={() =>
                  restore.mutate(thread.slug, {
                    onSuccess: () =>
                      toast.success(
                        t("threadRestored", { name: shortenName(threadName(thread.name)) }),
                      ),
                  })
                }
              >
                <ArchiveRestore className="size-3.5 stroke-2" aria-hidden="true" />
                {t("restore")}
              </Button>
              <IconButton
                className="max-md:size-10"
                label={t("purgeThread", { name: threadName(thread.name) })}
                onClick={() => setPurging(thread)}
              >
                <Trash2 className="size-3.5 stroke-2" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <DialogFooter>
        <Button variant="quiet" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
      {purging && (
        <ConfirmDialog
          open
          title={t("purgeTitle", { name: shortenName(threadName(purging.name)) })}
          text={t("deleteThreadText")}
          action={t("purge")}
          onClose={() => setPurging(null)}
          onConfirm={() =>
            purge.mutateAsync(purging.slug, { onSuccess: () => toast.success(t("threadDeleted")) })
          }
        />
      )}
    </Dialog>
  );
}

/** Renames or deletes a workspace, or lists its archived or deleted threads. */
export default function WorkspaceDialog({
  kind,
  workspace: { slug, name },
  current,
  onClose,
}: {
  kind: "rename" | "delete" | "archive" | "trash";
  workspace: WorkspaceWire;
  current: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const rename = useRenameWorkspace(slug);
  const remove = useDeleteWorkspace();
  if (kind === "archive") return <ArchiveDialog slug={slug} name={name} onClose={onClose} />;
  if (kind === "trash") return <TrashDialog slug={slug} name={name} onClose={onClose} />;
  if (kind === "rename")
    return (
      <NameDialog
        open
        title={t("renameWorkspace")}
        label={t("name")}
        initial={name}
        action={t("renameAction")}
        busyAction={t("saving")}
        onClose={onClose}
        onSubmit={(next) => rename.mutateAsync(next)}
      />
    );
  return (
    <ConfirmDialog
      open
      title={t("deleteWorkspaceTitle", { name })}
      text={t("deleteWorkspaceText")}
      action={t("deleteWorkspace")}
      onClose={onClose}
      onConfirm={async () => {
        await remove.mutateAsync(slug);
        if (current) await navigate({ to: "/" });
        toast.success(t("workspaceDeleted", { name }));
      }}
    />
  );
}

/** A workspace's archived threads, to open, restore or delete. */
function ArchiveDialog({
  slug,
  name,
  onClose,
}: {
  slug: string;
  name: string;
  onClose: () => void;
}) {
  const { t } = useTranslation("shell");
  const { data } = useQuery(threadsQuery(slug));
  const mark = useThreadMarks(slug);
  const removeThreads = useThreadRemoval(slug);
  const [deleting, setDeleting] = useState<MarkedThread | null>(null);
  const archived = data?.threads
    .flatMap((thread) => (thread.archivedAt === null ? [] : [{ thread, at: thread.archivedAt }]))
    .sort((one, other) => other.at.localeCompare(one.at));
  return (
    <Dialog open onClose={onClose} title={t("archived")} description={t("archivedText", { name })}>
      {archived?.length === 0 && <p className="text-fg-3">{t("archivedEmpty")}</p>}
      {archived && archived.length > 0 && (
        <ul
          className="-mx-2 grid max-h-[46dvh] gap-0.5 overflow-auto"
          tabIndex={0}
          aria-label={t("archived")}
        >
          {archived.map(({ thread, at }) => (
            <li
              key={thread.id}
              className="flex min-h-12 items-center gap-2 rounded-sm px-2 [contain-intrinsic-block-size:auto_48px] [content-visibility:auto] hover:bg-hover"
            >
              <Link
                className="min-w-0 flex-1 rounded-sm"
                {...linkToThread(slug, thread.slug || null)}
                onClick={onClose}
              >
                <span className="block truncate" title={threadName(thread.name)} dir="auto">
                  {threadName(thread.name)}
                </span>
                <span className="block text-xs text-fg-3">
                  {t("archivedRow", { when: formatAgo(at) })}
                </span>
              </Link>
              <Button
                className="max-md:h-9"
                size="sm"
                aria-label={t("restoreThread", { name: threadName(thread.name) })}
                onClick={() => mark(thread, { archived: false })}
              >
                <ArchiveRestore className="size-3.5 stroke-2" aria-hidden="true" />
                {t("restore")}
              </Button>
              <IconButton
                className="max-md:size-10"
                label={t("deleteNamed", { name: threadName(thread.name) })}
                onClick={() => setDeleting(thread)}
              >
                <Trash2 className="size-3.5 stroke-2" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <DialogFooter>
        <Button variant="quiet" onClick={onClose}>
          {t("close")}
        </Button>
      </DialogFooter>
      {deleting && (
        <ThreadDialog
          slug={slug}
          request={{ kind: "delete", thread: deleting }}
          // Closes, because Undo can't be reached behind a dialog. If a deleted thread is open, the
          // change stream navigates away.
          onDelete={(removed) => removeThreads(removed, onClose)}
          onClose={() => setDeleting(null)}
        />
      )}
    </Dialog>
  );
}
