import type { ThreadWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ConfirmDialog, NameDialog } from "../../../components/ui/prompt-dialogs.tsx";
import { threadName } from "../../../lib/thread-name.ts";
import { trashQuery, useRenameThread, type RemovedThreads } from "../api/workspaces.ts";
import ShareDialog from "./share-dialog.tsx";
import type { ThreadDialogRequest } from "./thread-nav.ts";

/** Renames or shares a thread, or confirms deleting it or the selected ones. */
export default function ThreadDialog({
  slug,
  request,
  onDelete,
  onClose,
}: {
  slug: string;
  request: ThreadDialogRequest;
  onDelete: (removed: RemovedThreads) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation("shell");
  const trash = useQuery(trashQuery(slug));
  if (request.kind === "rename") {
    return <RenameDialog slug={slug} thread={request.thread} onClose={onClose} />;
  }
  if (request.kind === "share")
    return <ShareDialog slug={slug} threadSlug={request.threadSlug} onClose={onClose} />;
  if (trash.isPending) return null;
  const days = trash.data?.days ?? 0;
  if (request.kind !== "delete-selected") {
    return (
      <ConfirmDialog
        open
        title={t("deleteThreadTitle", { name: threadName(request.thread.name) })}
        text={days > 0 ? t("deleteThreadTextKept", { count: days }) : t("deleteThreadText")}
        action={t("deleteThread")}
        onClose={onClose}
        onConfirm={() => onDelete({ one: request.thread.slug })}
      />
    );
  }
  const { slugs } = request;
  return (
    <ConfirmDialog
      open
      title={t("deleteThreadsTitle", { count: slugs.length })}
      text={days > 0 ? t("deleteThreadsTextKept", { count: days }) : t("deleteThreadsText")}
      action={t("deleteThreads", { count: slugs.length })}
      onClose={onClose}
      onConfirm={() => onDelete({ selected: slugs })}
    />
  );
}

function RenameDialog({
  slug,
  thread,
  onClose,
}: {
  slug: string;
  thread: ThreadWire;
  onClose: () => void;
}) {
  const { t } = useTranslation("shell");
  const rename = useRenameThread(slug, thread.slug);
  return (
    <NameDialog
      open
      title={t("renameThread")}
      label={t("name")}
      initial={threadName(thread.name)}
      action={t("renameAction")}
      busyAction={t("saving")}
      onClose={onClose}
      problemOf={(message) => t("threadNotUpdated", { message })}
      onSubmit={async (name) => {
        if (name !== threadName(thread.name)) await rename.mutateAsync(name);
      }}
    />
  );
}
