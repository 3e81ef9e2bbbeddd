import type { MarkedThread } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArchiveRestore, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { threadsQuery } from "../api/workspaces.ts";
import { useThreadMarks } from "../state/thread-marks.ts";
import { useThreadRemoval } from "../state/thread-removal.ts";
import ThreadDialog from "./thread-dialog.tsx";
import { linkToThread } from "./thread-nav.ts";

/** A workspace's archived threads, to open, restore or delete. */
export function ArchiveDialog({
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
                <span className="block truncate" title={thread.name}>
                  {thread.name}
                </span>
                <span className="block text-xs text-fg-3">
                  {t("archivedRow", { when: formatAgo(at) })}
                </span>
              </Link>
              <Button
                className="max-md:h-9"
                size="sm"
                aria-label={t("restoreThread", { name: thread.name })}
                onClick={() => mark(thread, { archived: false })}
              >
                <ArchiveRestore className="size-3.5 stroke-2" aria-hidden="true" />
                {t("restore")}
              </Button>
              <IconButton
                className="max-md:size-10"
                label={t("deleteNamed", { name: thread.name })}
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
