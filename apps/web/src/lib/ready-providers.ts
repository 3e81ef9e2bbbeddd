import { listWorkspaceProviders } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";
import { withSortedModels } from "./natural-order.ts";
import { modelKeys } from "./query-keys.ts";

/**
 * Configured language model providers and their models. The server waits up to three seconds for a
 * provider that doesn't answer.
 */
export const readyProvidersQuery = (slug: string) =>
  queryOptions({
    queryKey: modelKeys.choices(slug),
    queryFn: async ({ signal }) => {
      const reply = await call(listWorkspaceProviders, { slug }, { signal });
      return { ...reply, providers: reply.providers.map(withSortedModels) };
    },
  });
