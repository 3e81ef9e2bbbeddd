import { purgeThread, restoreThread } from "@carrel/contracts";
import { useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { threadKeys } from "../../../lib/query-keys.ts";
import { toast } from "../../../lib/toast.ts";
import {
  removalDelay,
  trashQuery,
  useDeleteThreads,
  type RemovedThreads,
} from "../api/workspaces.ts";

const withoutThread = (slug: string) =>
  optimistic(trashQuery(slug).queryKey, (trash, threadSlug: string) => ({
    ...trash,
    threads: trash.threads.filter((thread) => thread.slug !== threadSlug),
  }));

export const useRestoreThread = (slug: string) =>
  useMutation({
    mutationFn: (threadSlug: string) => call(restoreThread, { slug, threadSlug }),
    ...withoutThread(slug),
    meta: {
      invalidates: [threadKeys.trash(slug), threadKeys.list(slug)],
      errorToast: (message) => `${i18next.t("shell:threadNotRestored")} ${message}`,
    },
  });

export const usePurgeThread = (slug: string) =>
  useMutation({
    mutationFn: (threadSlug: string) => call(purgeThread, { slug, threadSlug }),
    ...withoutThread(slug),
    meta: {
      invalidates: [threadKeys.trash(slug), threadKeys.list(slug)],
      errorToast: (message) => `${i18next.t("shell:threadNotDeleted")} ${message}`,
    },
  });

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
