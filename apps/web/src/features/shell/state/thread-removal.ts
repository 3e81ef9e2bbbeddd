import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { toast } from "../../../lib/toast.ts";
import { useRestoreThread } from "../api/trash.ts";
import {
  removalDelay,
  trashQuery,
  useDeleteThreads,
  type RemovedThreads,
} from "../api/workspaces.ts";

/** Deletes threads and shows a toast, which offers an undo if deleted threads are kept. */
export function useThreadRemoval(
  slug: string,
): (removed: RemovedThreads, onSuccess: (slugs: string[]) => void) => Promise<void> {
  const { t } = useTranslation("shell");
  const { mutateAsync: deleteThreads } = useDeleteThreads(slug);
  const { mutate: restore } = useRestoreThread(slug);
  const isKept = (useQuery(trashQuery(slug)).data?.days ?? 0) > 0;
  return async (removed, onSuccess) => {
    const slugs = "one" in removed ? [removed.one] : removed.selected;
    await deleteThreads(removed, {
      onSuccess: () => {
        onSuccess(slugs);
        // The threads leave the list after the delay, so restored ones must come back after that.
        const gone = new Promise((resolve) => setTimeout(resolve, removalDelay));
        const undo = (): void => void gone.then(() => slugs.forEach((each) => restore(each)));
        // The default thread's messages can only be restored from the trash, as a separate thread.
        const canUndo = isKept && !slugs.includes("");
        toast.success(t("threadDeleted"), canUndo ? undo : undefined);
      },
    });
  };
}
