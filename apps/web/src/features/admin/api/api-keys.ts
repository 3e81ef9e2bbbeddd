import {
  createApiKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteInstanceApiKey,
  listApiKeys,
  listInstanceApiKeys,
  updateApiKey,
  updateInstanceApiKey,
  type ApiKeyWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/query-client.ts";
import type { KeyLimits } from "../state/api-key-form.ts";

const apiKeyKeys = {
  all: ["admin", "api-keys"],
  list: (multiUser: boolean) => ["admin", "api-keys", multiUser],
} as const;

/** Developer API keys. In single-user mode they are served under other routes. */
export const apiKeysQuery = (multiUser: boolean) =>
  queryOptions({
    queryKey: apiKeyKeys.list(multiUser),
    queryFn: async ({ signal }) => {
      const operation = multiUser ? listApiKeys : listInstanceApiKeys;
      return (await call(operation, {}, { signal })).apiKeys;
    },
  });

/**
 * Creates a key, or changes one. Returns the secret of a new one: the server shows it only once, so
 * the cache drops it too.
 */
export const useSaveApiKey = (multiUser: boolean, key: ApiKeyWire | null) =>
  useMutation({
    mutationFn: async (limits: KeyLimits): Promise<string> => {
      const { apiKey } =
        key === null
          ? await call(multiUser ? createApiKey : createInstanceApiKey, limits)
          : await call(multiUser ? updateApiKey : updateInstanceApiKey, { id: key.id, ...limits });
      return apiKey!.secret;
    },
    gcTime: 0,
    meta: { invalidates: [apiKeyKeys.all], errorToast: false },
  });

export const useDeleteApiKey = (multiUser: boolean) =>
  useMutation({
    mutationFn: (id: number) => call(multiUser ? deleteApiKey : deleteInstanceApiKey, { id }),
    ...optimistic(apiKeysQuery(multiUser).queryKey, (keys, id: number) =>
      keys.filter((key) => key.id !== id),
    ),
    meta: {
      invalidates: [apiKeyKeys.all],
      errorToast: (message) => i18next.t("admin:keys.deleteFailed", { message }),
    },
  });
