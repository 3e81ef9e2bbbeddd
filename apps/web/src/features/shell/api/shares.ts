import {
  createShare,
  getShare,
  updateShare,
  type Args,
  type ShareAudience,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { shareKeys } from "../../../lib/share-keys.ts";

/** Always refetched when opened, because the thread may have changed since. */
export const shareQuery = (slug: string, threadSlug: string | null) =>
  queryOptions({
    queryKey: shareKeys.ofThread(slug, threadSlug),
    staleTime: 0,
    queryFn: ({ signal }) => call(getShare, { slug, thread: threadSlug }, { signal }),
  });

/** Returns the link. The server shows its token only once, so the cache drops it too. */
export const useCreateShare = (slug: string, threadSlug: string | null) =>
  useMutation({
    mutationFn: async (link: {
      audience: ShareAudience;
      expiresInDays: Args<typeof createShare>["expiresInDays"];
      showReasoning: boolean;
    }): Promise<string> => {
      const { token } = await call(createShare, { slug, thread: threadSlug, ...link });
      return `${location.origin}/share/${token}`;
    },
    gcTime: 0,
    meta: { invalidates: [shareKeys.all], errorToast: false },
  });

export const useUpdateShare = () =>
  useMutation({
    mutationFn: (change: Args<typeof updateShare>) => call(updateShare, change),
    meta: {
      invalidates: [shareKeys.all],
      errorToast: (message) => i18next.t("share:saveFailed", { message }),
    },
  });
