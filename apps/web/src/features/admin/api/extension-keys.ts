import { createExtensionKey, deleteExtensionKey, listExtensionKeys } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";
import { optimistic } from "../../../lib/optimistic.ts";

const extensionKeyKeys = { list: ["admin", "extension-keys"] } as const;

export const extensionKeysQuery = queryOptions({
  queryKey: extensionKeyKeys.list,
  queryFn: ({ signal }) => call(listExtensionKeys, {}, { signal }),
  select: (reply) => reply.apiKeys,
});

/**
 * Returns the connection string (API address and key), and announces it to an extension in this
 * browser. The server shows the key only once, so the cache drops it too.
 */
export const useCreateExtensionKey = () =>
  useMutation({
    mutationFn: async (): Promise<string> => {
      const { apiKey } = await call(createExtensionKey, {});
      const connection = `${location.origin}/api|${apiKey}`;
      window.postMessage(
        { type: "NEW_BROWSER_EXTENSION_CONNECTION", apiKey: connection },
        location.origin,
      );
      return connection;
    },
    gcTime: 0,
    meta: {
      invalidates: [extensionKeyKeys.list],
      errorToast: (message) => i18next.t("admin:extension.createFailed", { message }),
    },
  });

export const useDeleteExtensionKey = () =>
  useMutation({
    mutationFn: (id: number) => call(deleteExtensionKey, { id }),
    ...optimistic(extensionKeysQuery.queryKey, (reply, id: number) => ({
      ...reply,
      apiKeys: reply.apiKeys.filter((key) => key.id !== id),
    })),
    meta: {
      invalidates: [extensionKeyKeys.list],
      errorToast: (message) => i18next.t("admin:extension.deleteFailed", { message }),
    },
  });
