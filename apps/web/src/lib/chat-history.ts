import { queryOptions, useQuery } from "@tanstack/react-query";
import { keys } from "./session-storage.ts";
import { fetchSetup } from "./setup.ts";
import { readTimed, writeTimed } from "./timed-cache.ts";

/** Specification 1, section 9. */
const lifetime = 24 * 60 * 60 * 1000;

/**
 * Whether the chats of others may be looked at: only where the instance says
 * `DisableViewChatHistory: false` and nothing else.
 */
export const viewChatHistoryQuery = queryOptions({
  queryKey: ["can-view-chat-history"],
  staleTime: lifetime,
  queryFn: async ({ signal }): Promise<boolean> => {
    const kept = readTimed(keys.viewChatHistory, lifetime);
    if (typeof kept?.viewable === "boolean") return kept.viewable;
    const { results } = await fetchSetup({ signal });
    const viewable = results.DisableViewChatHistory === false;
    writeTimed(keys.viewChatHistory, { viewable });
    return viewable;
  },
});

/** False until the instance has said otherwise. */
export const useCanViewChatHistory = (): boolean => useQuery(viewChatHistoryQuery).data ?? false;
