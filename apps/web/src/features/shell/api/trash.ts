import { purgeThread, restoreThread } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { threadKeys } from "../../../lib/query-keys.ts";
import { trashQuery } from "./workspaces.ts";

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
