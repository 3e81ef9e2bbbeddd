import { listAcceptedTypes } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { documentKeys } from "../../../lib/query-keys.ts";

export const acceptedTypesQuery = queryOptions({
  queryKey: documentKeys.acceptedTypes,
  queryFn: ({ signal }) => call(listAcceptedTypes, {}, { signal }),
  select: (reply) => Object.values(reply.types).flat(),
  staleTime: Infinity,
});
