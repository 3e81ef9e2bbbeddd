import { listShares, revokeShare, type Out } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/optimistic.ts";
import { shareKeys } from "../../../lib/share-keys.ts";

export type OwnShare = Out<typeof listShares>["shares"][number];

/** Refetched when opened, because links are created elsewhere and expire. */
export const ownSharesQuery = queryOptions({
  queryKey: shareKeys.own,
  staleTime: 0,
  queryFn: ({ signal }) => call(listShares, {}, { signal }),
  select: (reply) => reply.shares,
});

export const useRevokeOwnShare = () =>
  useMutation({
    mutationFn: (id: number) => call(revokeShare, { id }),
    ...optimistic(ownSharesQuery.queryKey, (reply, id: number) => ({
      shares: reply.shares.filter((share) => share.id !== id),
    })),
    meta: {
      invalidates: [shareKeys.all],
      errorToast: (message) => i18next.t("share:revokeFailed", { message }),
    },
  });
