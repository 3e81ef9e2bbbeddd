import { listAcceptedTypes } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { groupFormats } from "../state/accepted-formats.ts";
import { documentKeys } from "../../../lib/query-keys.ts";

const acceptedTypes = queryOptions({
  queryKey: documentKeys.acceptedTypes,
  queryFn: ({ signal }) => call(listAcceptedTypes, {}, { signal }),
  staleTime: Infinity,
});

/** The extensions of files that can be uploaded. */
export const acceptedTypesQuery = queryOptions({
  ...acceptedTypes,
  select: (reply) => Object.values(reply.types).flat(),
});
/** The same, by kind. */
export const acceptedFormatsQuery = queryOptions({
  ...acceptedTypes,
  select: (reply) => groupFormats(reply.types),
});
