import { useQuery } from "@tanstack/react-query";
import { ArchiveRestore, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/confirm-dialog.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { formatAgo, shortenName } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { trashQuery } from "../api/workspaces.ts";
import { usePurgeThread, useRestoreThread } from "../state/thread-removal.ts";

const day = 86_400_000;
/** Whole days until the thread is purged, at least one. */
const daysUntil = (iso: string): number =>
  Math.max(1, Math.ceil((new Date(iso).getTime() - Date.now()) / day));

/** A workspace's deleted threads, to restore or delete permanently. */
export function TrashDialog({
  slug,
  name,
  onClose,
}: {
  slug: string;
  name: string;
  onClose: () => void;
}) {
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
                <span className="block truncate" title={thread.name}>
                  {thread.name}
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
                aria-label={t("restoreThread", { name: thread.name })}
                onClick={() =>
                  restore.mutate(thread.slug, {
                    onSuccess: () =>
                      toast.success(t("threadRestored", { name: shortenName(thread.name) })),
                  })
                }
              >
                <ArchiveRestore className="size-3.5 stroke-2" aria-hidden="true" />
                {t("restore")}
              </Button>
              <IconButton
                className="max-md:size-10"
                label={t("purgeThread", { name: thread.name })}
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
          title={t("purgeTitle", { name: shortenName(purging.name) })}
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
