import type { ApiKeyWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { ExternalLink, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { apiKeysQuery, useDeleteApiKey } from "../api/api-keys.ts";
import { ApiKeyDialog } from "./api-key-dialog.tsx";
import { DataTable, EmptyList, type Column } from "./data-table.tsx";

/** Developer API keys. */
export function ApiKeysPage() {
  const { t } = useTranslation("admin");
  const { multiUser } = useRights();
  const keys = useQuery(apiKeysQuery(multiUser));
  const remove = useDeleteApiKey(multiUser);
  const [making, setMaking] = useState(false);
  const [deleting, setDeleting] = useState<ApiKeyWire | null>(null);
  const columns = useMemo<Column<ApiKeyWire>[]>(
    () => [
      {
        id: "name",
        head: t("keys.columnName"),
        width: "minmax(0, 1fr)",
        sortBy: (key) => key.name ?? "",
        cell: (key) => (
          <span
            className={key.name ? "med cut block" : "t3 cut block"}
            title={key.name ?? undefined}
          >
            {key.name || t("keys.unnamed")}
          </span>
        ),
      },
      {
        id: "key",
        head: t("keys.columnKey"),
        width: "minmax(0, 0.8fr)",
        cell: (key) => (
          <span className="mono cut block t2" dir="ltr">
            {key.secret}
          </span>
        ),
      },
      ...(multiUser
        ? [
            {
              id: "by",
              head: t("keys.columnBy"),
              width: "140px",
              className: "wide-only",
              sortBy: (key: ApiKeyWire) => nameOfMaker(key) ?? "",
              cell: (key: ApiKeyWire) => (
                <span className="cut block">
                  <span className="label">{t("keys.columnBy")} </span>
                  {nameOfMaker(key) ?? t("unknownUser")}
                </span>
              ),
            },
          ]
        : []),
      {
        id: "used",
        head: t("keys.columnUsed"),
        width: "110px",
        sortBy: (key) => (key.lastUsedAt ? Date.parse(key.lastUsedAt) : 0),
        cell: (key) => (
          <span className="xs t3 num">
            <span className="label">{t("keys.columnUsed")}: </span>
            {key.lastUsedAt ? formatAgo(key.lastUsedAt) : t("never")}
          </span>
        ),
      },
      {
        id: "made",
        head: t("keys.columnMade"),
        width: "110px",
        className: "phone-off",
        sortBy: (key) => Date.parse(key.createdAt) || 0,
        cell: (key) => <span className="xs t3 num">{formatAgo(key.createdAt)}</span>,
      },
    ],
    [t, multiUser],
  );
  const all = keys.data ?? [];
  const add = (
    <button type="button" className="btn primary" onClick={() => setMaking(true)}>
      <Plus className="i sm" aria-hidden="true" />
      {t("keys.add")}
    </button>
  );
  const nameOf = (key: ApiKeyWire): string => key.name || t("keys.unnamed");
  return (
    <section className="pane grow adm" aria-label={t("keys.list")}>
      <div className="pane-head">
        {all.length > 0 && (
          <span className="t3 num count" role="status">
            {t("keys.count", { count: all.length })}
          </span>
        )}
        <a className="btn quiet" href="/api/docs" target="_blank" rel="noopener">
          {t("keys.docs")}
          <ExternalLink className="i sm" aria-hidden="true" />
        </a>
        <span className="grow" />
        {all.length > 0 && add}
      </div>
      <DataTable
        label={t("keys.list")}
        columns={columns}
        rows={all}
        keyOf={(key) => key.id}
        nameOf={nameOf}
        initialSort={{ column: "made", down: true }}
        query={keys}
        menuOf={(key) => [
          { label: t("keys.delete"), icon: Trash2, danger: true, run: () => setDeleting(key) },
        ]}
        empty={
          <EmptyList title={t("keys.emptyTitle")} text={t("keys.emptyText")}>
            {add}
          </EmptyList>
        }
      />
      {making && <ApiKeyDialog multiUser={multiUser} onClose={() => setMaking(false)} />}
      {deleting && (
        <ConfirmDialog
          open
          title={t("keys.deleteTitle", { name: nameOf(deleting) })}
          text={t("keys.deleteText")}
          action={t("keys.delete")}
          onClose={() => setDeleting(null)}
          onConfirm={() =>
            remove.mutateAsync(deleting.id, { onSuccess: () => toast.success(t("keys.deleted")) })
          }
        />
      )}
    </section>
  );
}

/** A number on the wire is the id of a deleted account. */
const nameOfMaker = (key: ApiKeyWire): string | null =>
  typeof key.createdBy === "object" ? (key.createdBy?.username ?? null) : null;
