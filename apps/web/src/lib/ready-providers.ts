import { listWorkspaceProviders } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { modelKeys } from "./query-keys.ts";

/**
 * Configured language model providers and their models. The server waits up to three seconds for a
 * provider that doesn't answer.
 */
export const readyProvidersQuery = (slug: string) =>
  queryOptions({
    queryKey: modelKeys.choices(slug),
    queryFn: ({ signal }) => call(listWorkspaceProviders, { slug }, { signal }),
  });
