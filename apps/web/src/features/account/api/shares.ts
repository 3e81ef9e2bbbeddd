import { listShares, type Out } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { shareKeys } from "../../../lib/share-keys.ts";

export type OwnShare = Out<typeof listShares>["shares"][number];

/** Refetched when opened, because links are created elsewhere and expire. */
export const ownSharesQuery = queryOptions({
  queryKey: shareKeys.own,
  staleTime: 0,
  queryFn: ({ signal }) => call(listShares, {}, { signal }),
  select: (reply) => reply.shares,
});
