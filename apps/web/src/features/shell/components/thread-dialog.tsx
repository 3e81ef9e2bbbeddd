import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import ConfirmDialog from "../../../components/ui/confirm-dialog.tsx";
import NameDialog from "../../../components/ui/name-dialog.tsx";
import { renameThread, trashQuery, type removeThreads } from "../api/workspaces.ts";
import type { ThreadQuestion } from "./thread-list.tsx";

/**
 * A new name for a thread, or whether it or the marked ones are to go. Where deleted threads are
 * kept for a while it says so.
 */
export default function ThreadDialog({
  slug,
  question,
  onDelete,
  onClose,
}: {
  slug: string;
  question: ThreadQuestion;
  onDelete: (removed: Parameters<typeof removeThreads>[1]) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation("shell");
  const trash = useQuery(trashQuery(slug));
  if (question.kind === "rename") {
    const { thread } = question;
    return (
      <NameDialog
        open
        title={t("renameThread")}
        label={t("name")}
        initial={thread.name}
        action={t("renameAction")}
        busyAction={t("saving")}
        onClose={onClose}
        onSubmit={async (name) => {
          if (name !== thread.name)
            await renameThread(slug, thread.slug, name).catch((error: unknown) => {
              throw new Error(
                t("threadNotUpdated", {
                  message: error instanceof Error ? error.message : String(error),
                }),
              );
            });
        }}
      />
    );
  }
  // the words depend on it; where the answer is a refusal, nothing is kept
  if (trash.isPending) return null;
  const days = trash.data?.days ?? 0;
  if (question.kind !== "delete-marked") {
    return (
      <ConfirmDialog
        open
        title={t("deleteThread")}
        text={days > 0 ? t("deleteThreadTextKept", { count: days }) : t("deleteThreadText")}
        action={t("deleteThread")}
        onClose={onClose}
        onConfirm={() => onDelete({ one: question.thread.slug })}
      />
    );
  }
  const { slugs } = question;
  return (
    <ConfirmDialog
      open
      title={t("deleteThreads", { count: slugs.length })}
      text={days > 0 ? t("deleteThreadsTextKept", { count: days }) : t("deleteThreadsText")}
      action={t("deleteThreads", { count: slugs.length })}
      onClose={onClose}
      onConfirm={() => onDelete({ marked: slugs })}
    />
  );
}
