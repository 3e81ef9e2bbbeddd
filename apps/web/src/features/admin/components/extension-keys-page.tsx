import {
  createExtensionKey,
  deleteExtensionKey,
  listExtensionKeys,
  type ExtensionKeyWire,
} from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { call } from "../../../lib/api.ts";
import { useRights } from "../../../lib/current-user.ts";
import { formatAgo } from "../../../lib/format.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { SecretDialog, maskCode } from "./secret-dialog.tsx";
import { EmptyList, ListPane, PhoneLabel } from "./settings-page.tsx";

const extensionKeyKeys = { list: ["admin", "extension-keys"] } as const;

const extensionKeysQuery = queryOptions({
  queryKey: extensionKeyKeys.list,
  queryFn: ({ signal }) => call(listExtensionKeys, {}, { signal }),
  select: (reply) => reply.apiKeys,
});

/**
 * Returns the connection string (API address and key), and announces it to an extension in this
 * browser. The server shows the key only once, so the cache drops it too.
 */
const useCreateExtensionKey = () =>
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

const useDeleteExtensionKey = () =>
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

/** Keys that let browser extensions act on behalf of their owners. */
export function ExtensionKeysPage() {
  const { t } = useTranslation("admin");
  const { multiUser, admin } = useRights();
  const keys = useQuery(extensionKeysQuery);
  const create = useCreateExtensionKey();
  const remove = useDeleteExtensionKey();
  const [deleting, setDeleting] = useState<ExtensionKeyWire | null>(null);
  const showsOwners = multiUser && admin;
  const columns = useMemo<Column<ExtensionKeyWire>[]>(
    () => [
      {
        id: "key",
        head: t("extension.columnKey"),
        width: "minmax(0, 1fr)",
        cell: (key) => (
          <span className="block font-mono text-[0.93em] truncate" dir="ltr">
            {maskCode(key.key)}
          </span>
        ),
      },
      ...(showsOwners
        ? [
            {
              id: "owner",
              head: t("extension.columnOwner"),
              width: "180px",
              sortBy: (key: ExtensionKeyWire) => key.user?.username ?? "",
              cell: (key: ExtensionKeyWire) => (
                <span className="block truncate">
                  <PhoneLabel>{t("extension.columnOwner")}:</PhoneLabel>
                  {key.user?.username ?? t("unknownUser")}
                </span>
              ),
            },
          ]
        : []),
      {
        id: "used",
        head: t("extension.columnUsed"),
        width: "120px",
        sortBy: (key) => (key.lastUsedAt ? Date.parse(key.lastUsedAt) : 0),
        cell: (key) => (
          <span className="text-xs text-fg-3 tabular-nums">
            <PhoneLabel>{t("extension.columnUsed")}:</PhoneLabel>
            {key.lastUsedAt ? formatAgo(key.lastUsedAt) : t("keys.neverUsed")}
          </span>
        ),
      },
      {
        id: "made",
        head: t("extension.columnCreated"),
        width: "120px",
        hiddenOnPhones: true,
        sortBy: (key) => Date.parse(key.createdAt) || 0,
        cell: (key) => (
          <span className="text-xs text-fg-3 tabular-nums">{formatAgo(key.createdAt)}</span>
        ),
      },
    ],
    [t, showsOwners],
  );
  const all = keys.data ?? [];
  const add = (
    <Button variant="primary" disabled={create.isPending} onClick={() => create.mutate()}>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {create.isPending ? t("extension.creating") : t("extension.add")}
    </Button>
  );
  return (
    <ListPane
      label={t("extension.list")}
      hint={multiUser && all.length > 0 && (admin ? t("extension.all") : t("extension.own"))}
      head={
        all.length > 0 && (
          <>
            <span className="text-fg-3 tabular-nums" role="status">
              {t("extension.count", { count: all.length })}
            </span>
            <span className="flex-1" />
            {add}
          </>
        )
      }
    >
      <DataTable
        label={t("extension.list")}
        columns={columns}
        rows={all}
        keyOf={(key) => key.id}
        nameOf={(key) => maskCode(key.key)}
        initialSort={{ column: "made", down: true }}
        query={keys}
        menuOf={(key) => [
          { label: t("extension.delete"), icon: Trash2, danger: true, run: () => setDeleting(key) },
        ]}
        empty={
          <EmptyList title={t("extension.emptyTitle")} text={t("extension.emptyText")}>
            {add}
          </EmptyList>
        }
      />
      {create.isSuccess && (
        <SecretDialog
          title={t("extension.createdTitle")}
          text={t("extension.createdText")}
          label={t("extension.connection")}
          value={create.data}
          onClose={create.reset}
        />
      )}
      {deleting && (
        <ConfirmDialog
          open
          title={t("extension.deleteTitle")}
          text={t("extension.deleteText")}
          action={t("extension.delete")}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            remove.mutateAsync(deleting.id, {
              onSuccess: () => toast.success(t("extension.deleted")),
            })
          }
        />
      )}
    </ListPane>
  );
}
