import { markThread, updateDefaultThread } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { threadKeys } from "../../../lib/query-keys.ts";
import { threadsQuery } from "./workspaces.ts";

export interface ThreadMarks {
  pinned?: boolean;
  archived?: boolean;
}

export const useMarkThread = (slug: string) =>
  useMutation({
    mutationFn: ({ threadSlug, ...marks }: ThreadMarks & { threadSlug: string }) =>
      threadSlug === ""
        ? call(updateDefaultThread, { slug, ...marks })
        : call(markThread, { slug, threadSlug, ...marks }),
    ...optimistic(
      threadsQuery(slug).queryKey,
      (
        { threads, ...rest },
        { threadSlug, pinned, archived }: ThreadMarks & { threadSlug: string },
      ) => {
        const now = new Date().toISOString();
        return {
          ...rest,
          threads: threads.map((thread) =>
            thread.slug === threadSlug
              ? {
                  ...thread,
                  ...(pinned === undefined ? {} : { pinnedAt: pinned ? now : null }),
                  ...(archived === undefined ? {} : { archivedAt: archived ? now : null }),
                  ...(archived === true ? { pinnedAt: null } : {}),
                }
              : thread,
          ),
        };
      },
    ),
    // One after the other, so that undoing can't overtake the change.
    scope: { id: `mark-threads-${slug}` },
    meta: {
      invalidates: [threadKeys.list(slug)],
      errorToast: (message) => i18next.t("shell:threadNotUpdated", { message }),
    },
  });
