import {
  createApiKey,
  createExtensionKey,
  createInstanceApiKey,
  deleteApiKey,
  deleteExtensionKey,
  deleteInstanceApiKey,
  listApiKeys,
  listExtensionKeys,
  listInstanceApiKeys,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

/** Developer keys; an instance without user accounts has them at addresses of its own. */
export const apiKeysQuery = (multiUser: boolean) =>
  queryOptions({
    queryKey: ["admin", "api-keys", multiUser],
    queryFn: async ({ signal }) => {
      const { apiKeys, error } = await call(
        multiUser ? listApiKeys : listInstanceApiKeys,
        {},
        { signal },
      );
      if (error !== null) throw new Error(error);
      return apiKeys;
    },
  });
const keysAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["admin", "api-keys"] });

/** Makes a key and gives its secret, which is in this one reply only. */
export async function makeApiKey(multiUser: boolean, name: string): Promise<string> {
  const { apiKey, error } = await call(
    multiUser ? createApiKey : createInstanceApiKey,
    name === "" ? {} : { name },
  );
  if (!apiKey) throw new Error(error ?? "");
  await keysAgain();
  return apiKey.secret;
}

export async function removeApiKey(multiUser: boolean, id: number): Promise<void> {
  await call(multiUser ? deleteApiKey : deleteInstanceApiKey, { id });
  await keysAgain();
}

export const extensionKeysQuery = queryOptions({
  queryKey: ["admin", "extension-keys"],
  queryFn: ({ signal }) => call(listExtensionKeys, {}, { signal }),
  select: (reply) => reply.apiKeys,
});
const extensionAgain = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: ["admin", "extension-keys"] });

/**
 * Makes a key, tells an extension in this browser (it listens to this message), and gives what is
 * pasted into others: API address and key.
 */
export async function makeExtensionKey(): Promise<string> {
  const { apiKey } = await call(createExtensionKey, {});
  const connection = `${location.origin}/api|${apiKey}`;
  window.postMessage(
    { type: "NEW_BROWSER_EXTENSION_CONNECTION", apiKey: connection },
    location.origin,
  );
  await extensionAgain();
  return connection;
}

export async function removeExtensionKey(id: number): Promise<void> {
  await call(deleteExtensionKey, { id });
  await extensionAgain();
}
