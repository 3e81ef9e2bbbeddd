import {
  listAllShares,
  sharingLabel,
  updatePreferences,
  type Args,
  type Out,
  type SharingLimit,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/optimistic.ts";
import { shareKeys } from "../../../lib/share-keys.ts";
import { setupQuery } from "../../../lib/setup.ts";

export type AdminShare = Out<typeof listAllShares>["shares"][number];

/** Everyone's links; refetched when opened, because people create them elsewhere. */
export const allSharesQuery = queryOptions({
  queryKey: shareKeys.list,
  staleTime: 0,
  queryFn: ({ signal }) => call(listAllShares, {}, { signal }),
  select: (reply) => reply.shares,
});

export const useLimitSharing = () =>
  useMutation({
    mutationFn: async (limit: SharingLimit) => {
      // The request body is the flat map itself.
      const preferences = { [sharingLabel]: limit } as unknown as Args<typeof updatePreferences>;
      await call(updatePreferences, preferences);
    },
    ...optimistic(setupQuery.queryKey, (reply, limit: SharingLimit) => ({
      ...reply,
      results: { ...reply.results, ThreadSharing: limit },
    })),
    meta: {
      invalidates: [setupQuery.queryKey],
      errorToast: (message) => i18next.t("share:admin.limitFailed", { message }),
    },
  });
