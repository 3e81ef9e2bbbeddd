import type { ApiKeyWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleDollarSign, ExternalLink, Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { cn } from "../../../lib/cn.ts";
import { useRights } from "../../../lib/current-user.ts";
import { formatCost } from "../../../lib/format-usage.ts";
import { formatAgo, formatNumber, formatTime, joinFacts, joinNames } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { apiKeysQuery, isExpired, useDeleteApiKey } from "../api/api-keys.ts";
import { ApiKeyDialog } from "./api-key-dialog.tsx";
import { DataTable, rowButton, type Column } from "./data-table.tsx";
import { maskCode } from "./secret-dialog.tsx";
import { EmptyList, ListPane, PhoneLabel, RowCount } from "./settings-page.tsx";

/** Developer API keys. */
export function ApiKeysPage({
  usage,
  budgetsOf,
  onSetBudget,
}: {
  /** Usage in the last 30 days, by key ID. */
  usage: ReadonlyMap<number, KeyUsage>;
  budgetsOf: (key: ApiKeyWire) => ReactNode;
  onSetBudget: (key: ApiKeyWire) => void;
}) {
  const { t } = useTranslation("admin");
  const { multiUser } = useRights();
  const keys = useQuery(apiKeysQuery(multiUser));
  const remove = useDeleteApiKey(multiUser);
  const [edited, setEdited] = useState<ApiKeyWire | "new" | null>(null);
  const [deleting, setDeleting] = useState<ApiKeyWire | null>(null);
  const columns = useMemo<Column<ApiKeyWire>[]>(
    () => [
      {
        id: "name",
        head: t("keys.columnName"),
        width: "minmax(0, 1fr)",
        sortBy: (key) => key.name ?? "",
        cell: (key) => (
          <>
            <span
              className={key.name ? "block font-medium truncate" : "block text-fg-3 truncate"}
              title={key.name ?? undefined}
            >
              {key.name || t("keys.unnamed")}
            </span>
            <span className="block truncate font-mono text-2xs text-fg-3" dir="ltr">
              {maskCode(key.secret)}
            </span>
          </>
        ),
      },
      {
        id: "access",
        head: t("keys.columnAccess"),
        width: "minmax(0, 0.9fr)",
        cell: (key) => <KeyAccess apiKey={key} />,
      },
      {
        id: "made",
        head: t("keys.columnCreated"),
        width: "120px",
        hiddenBelow: "lg",
        sortBy: (key) => Date.parse(key.createdAt),
        cell: (key) => (
          <>
            <span className="block text-xs text-fg-3 tabular-nums">
              <PhoneLabel>{t("keys.columnCreated")}:</PhoneLabel>
              {formatAgo(key.createdAt)}
            </span>
            {multiUser && (
              <span className="block truncate text-xs">
                <PhoneLabel>{t("keys.columnBy")}</PhoneLabel>
                {creatorName(key) ?? t("unknownUser")}
              </span>
            )}
          </>
        ),
      },
      {
        id: "used",
        head: t("keys.columnUsed"),
        width: "110px",
        sortBy: (key) => (key.lastUsedAt ? Date.parse(key.lastUsedAt) : 0),
        cell: (key) => (
          <span className="text-xs text-fg-3 tabular-nums">
            <PhoneLabel>{t("keys.columnUsed")}:</PhoneLabel>
            {key.lastUsedAt ? formatAgo(key.lastUsedAt) : t("keys.neverUsed")}
          </span>
        ),
      },
      {
        id: "expires",
        head: t("keys.columnExpires"),
        width: "110px",
        sortBy: ({ expiresAt }) => (expiresAt === null ? Infinity : Date.parse(expiresAt)),
        cell: (key) => <KeyExpiry apiKey={key} />,
      },
      {
        id: "usage",
        head: t("keys.columnUsage"),
        width: "150px",
        sortBy: (key) => usage.get(key.id)?.cost ?? 0,
        cell: (key) => (
          <>
            <KeyUse apiKey={key} use={usage.get(key.id)} />
            {budgetsOf(key)}
          </>
        ),
      },
    ],
    [t, multiUser, usage, budgetsOf],
  );
  const all = keys.data ?? [];
  const add = (
    <Button variant="primary" onClick={() => setEdited("new")}>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("keys.add")}
    </Button>
  );
  const nameOf = (key: ApiKeyWire): string => key.name || t("keys.unnamed");
  return (
    <ListPane
      label={t("keys.list")}
      head={
        <>
          {all.length > 0 && <RowCount>{t("keys.count", { count: all.length })}</RowCount>}
          <a
            className={cn(
              buttonStyles({ variant: "quiet" }),
              // Aligns its text with the card below.
              all.length === 0 && "-ms-[13px]",
            )}
            href="/api/docs"
            target="_blank"
            rel="noopener"
          >
            {t("keys.docs")}
            <ExternalLink className="size-3.5 stroke-2" aria-hidden="true" />
          </a>
          <span className="flex-1" />
          {all.length > 0 && add}
        </>
      }
    >
      <DataTable
        label={t("keys.list")}
        columns={columns}
        rows={all}
        keyOf={(key) => key.id}
        nameOf={nameOf}
        initialSort={{ column: "made", down: true }}
        query={keys}
        menuOf={(key) => [
          { label: t("keys.edit"), icon: Pencil, run: () => setEdited(key) },
          { label: t("keys.budget"), icon: CircleDollarSign, run: () => onSetBudget(key) },
          { label: t("keys.delete"), icon: Trash2, danger: true, run: () => setDeleting(key) },
        ]}
        empty={
          <EmptyList title={t("keys.emptyTitle")} text={t("keys.emptyText")}>
            {add}
          </EmptyList>
        }
      />
      {edited && (
        <ApiKeyDialog
          apiKey={edited === "new" ? null : edited}
          multiUser={multiUser}
          onClose={() => setEdited(null)}
        />
      )}
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
    </ListPane>
  );
}

/** A number on the wire is the ID of a deleted account. */
const creatorName = (key: ApiKeyWire): string | null =>
  typeof key.createdBy === "object" ? (key.createdBy?.username ?? null) : null;

interface KeyUsage {
  tokens: number;
  /** In dollars; null: no price is known. */
  cost: number | null;
}

/** What a key may do, and where. */
function KeyAccess({ apiKey }: { apiKey: ApiKeyWire }) {
  const { t } = useTranslation("admin");
  const { scopes, workspaceIds, requestsPerMinute } = apiKey;
  // Each scope includes reading.
  const shown = scopes.length > 1 ? scopes.filter((scope) => scope !== "read") : scopes;
  const limits = [
    workspaceIds === null
      ? t("keys.allWorkspaces")
      : t("keys.workspaceCount", { count: workspaceIds.length }),
    ...(requestsPerMinute === null
      ? []
      : [t("keys.rateCount", { limit: formatNumber(requestsPerMinute) })]),
  ];
  return (
    <>
      <span className="block truncate">
        {joinNames(shown.map((scope) => t(`keys.scope.${scope}`)))}
      </span>
      <span className="block truncate text-xs text-fg-3">{joinFacts(limits)}</span>
    </>
  );
}

function KeyExpiry({ apiKey }: { apiKey: ApiKeyWire }) {
  const { t } = useTranslation("admin");
  const { expiresAt } = apiKey;
  if (isExpired(apiKey)) return <Badge tone="danger">{t("keys.expired")}</Badge>;
  return (
    <span className="text-xs text-fg-3 tabular-nums">
      <PhoneLabel>{t("keys.columnExpires")}:</PhoneLabel>
      {expiresAt === null ? t("keys.neverExpires") : formatTime(Date.parse(expiresAt))}
    </span>
  );
}

/** Links to the key's usage by model. */
function KeyUse({ apiKey, use }: { apiKey: ApiKeyWire; use: KeyUsage | undefined }) {
  const { t } = useTranslation("admin");
  if (use === undefined)
    return (
      <span className="block text-xs text-fg-3">
        <PhoneLabel>{t("keys.columnUsage")}:</PhoneLabel>
        {t("keys.noUsage")}
      </span>
    );
  const tokens = t("keys.tokens", { amount: formatNumber(use.tokens) });
  return (
    <>
      <PhoneLabel>{t("keys.columnUsage")}:</PhoneLabel>
      <Link
        className={rowButton}
        to="/settings/usage"
        search={{ keyId: apiKey.id, by: "model" }}
        aria-label={t("keys.showUsage", { name: apiKey.name || t("keys.unnamed") })}
      >
        {use.cost === null ? tokens : formatCost(use.cost)}
      </Link>
      {use.cost !== null && <span className="block text-xs text-fg-3 tabular-nums">{tokens}</span>}
    </>
  );
}
