import "../../../lib/share-texts.ts";
import { useQuery } from "@tanstack/react-query";
import { Link2Off } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { RevokeShareDialog } from "../../../components/revoke-share-dialog.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { formatAgo, formatTime } from "../../../lib/format.ts";
import { allSharesQuery, type AdminShare } from "../api/shares.ts";
import { DataTable, EmptyList, type Column } from "./data-table.tsx";
import { ListPane, PhoneLabel } from "./list-pane.tsx";
import { SharingLimitField } from "./sharing-limit.tsx";

/** Who links may be for, and everyone's links. */
export function SharedLinksPage() {
  const { t } = useTranslation("share");
  const shares = useQuery(allSharesQuery);
  const [revoking, setRevoking] = useState<AdminShare | null>(null);
  const columns = useMemo<Column<AdminShare>[]>(() => {
    const name = ({ thread }: AdminShare): string =>
      thread.slug === null ? t("admin.defaultThread") : thread.name;
    return [
      {
        id: "conversation",
        head: t("admin.conversation"),
        width: "minmax(0, 1fr)",
        sortBy: name,
        cell: (share) => (
          <>
            <span className="block truncate" title={name(share)}>
              {name(share)}
            </span>
            <span className="block truncate text-xs text-fg-3">
              {share.workspace?.name ?? t("admin.workspaceGone")}
            </span>
          </>
        ),
      },
      {
        id: "audience",
        head: t("admin.audience"),
        width: "170px",
        sortBy: ({ audience }) => audience,
        cell: ({ audience }) => (
          <Badge tone={audience === "anyone" ? "warning" : "neutral"}>{t(audience)}</Badge>
        ),
      },
      {
        id: "expires",
        head: t("admin.expires"),
        width: "190px",
        sortBy: ({ expiresAt }) => (expiresAt === null ? Infinity : Date.parse(expiresAt)),
        cell: ({ expiresAt, isExpired }) => {
          const time = expiresAt === null ? t("never") : formatTime(Date.parse(expiresAt));
          return (
            <span className="text-xs text-fg-3 tabular-nums">
              {isExpired ? (
                t("expired", { time })
              ) : (
                <>
                  <PhoneLabel>{t("admin.expires")}:</PhoneLabel>
                  {time}
                </>
              )}
            </span>
          );
        },
      },
      {
        id: "created",
        head: t("admin.created"),
        width: "150px",
        sortBy: ({ createdAt }) => Date.parse(createdAt),
        cell: ({ createdAt, owner }) => (
          <span className="text-xs text-fg-3 tabular-nums">
            <PhoneLabel>{t("admin.created")}</PhoneLabel>
            {formatAgo(createdAt)}
            {owner !== null && (
              <span className="block truncate">{t("admin.createdBy", { name: owner })}</span>
            )}
          </span>
        ),
      },
    ];
  }, [t]);
  const all = shares.data ?? [];
  return (
    <ListPane
      label={t("admin.list")}
      head={
        <>
          <SharingLimitField />
          <span className="flex-1" />
          {all.length > 0 && (
            <span className="self-end text-fg-3 tabular-nums" role="status">
              {t("admin.count", { count: all.length })}
            </span>
          )}
        </>
      }
    >
      <DataTable
        label={t("admin.list")}
        columns={columns}
        rows={all}
        keyOf={({ id }) => id}
        nameOf={({ thread }) => thread.name}
        initialSort={{ column: "created", down: true }}
        query={shares}
        menuOf={(share) => [
          { label: t("revoke"), icon: Link2Off, danger: true, run: () => setRevoking(share) },
        ]}
        empty={<EmptyList title={t("admin.emptyTitle")} text={t("admin.emptyText")} />}
      />
      {revoking && <RevokeShareDialog id={revoking.id} onClose={() => setRevoking(null)} />}
    </ListPane>
  );
}
