import {
  defaultSharing,
  listAllShares,
  sharingLabel,
  sharingLimits,
  updatePreferences,
  type Args,
  type Out,
  type SharingLimit,
} from "@carrel/contracts";
import { queryOptions, useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { Link2Off } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { RevokeShareDialog } from "../../../components/revoke-share-dialog.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { labelStyles } from "../../../components/ui/field.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { call } from "../../../lib/api.ts";
import { useRights } from "../../../lib/current-user.ts";
import { formatAgo, formatTime } from "../../../lib/format.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { shareKeys } from "../../../lib/share.ts";
import { threadName } from "../../../lib/thread-name.ts";
import { toast } from "../../../lib/toast.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { EmptyList, ListPane, PhoneLabel } from "./settings-page.tsx";

type AdminShare = Out<typeof listAllShares>["shares"][number];

/** Everyone's links; refetched when opened, because people create them elsewhere. */
const allSharesQuery = queryOptions({
  queryKey: shareKeys.list,
  staleTime: 0,
  queryFn: ({ signal }) => call(listAllShares, {}, { signal }),
  select: (reply) => reply.shares,
});

const useLimitSharing = () =>
  useMutation({
    mutationFn: async (limit: SharingLimit) => {
      // The request body is the flat map itself.
      const preferences = { [sharingLabel]: limit } as unknown as Args<typeof updatePreferences>;
      await call(updatePreferences, preferences);
    },
    ...optimistic(setupQuery.queryKey, (reply, limit: SharingLimit) => ({
      ...reply,
      results: { ...reply.results, ThreadSharing: limit },
    })),
    meta: {
      invalidates: [setupQuery.queryKey],
      errorToast: (message) => i18next.t("share:admin.limitFailed", { message }),
    },
  });

/** Whom links may be for, and everyone's links. */
export function SharedLinksPage() {
  const { t } = useTranslation("share");
  const shares = useQuery(allSharesQuery);
  const [revoking, setRevoking] = useState<AdminShare | null>(null);
  const columns = useMemo<Column<AdminShare>[]>(() => {
    const name = ({ thread }: AdminShare): string => threadName(thread.name, thread.slug);
    return [
      {
        id: "conversation",
        head: t("admin.conversation"),
        width: "minmax(0, 1fr)",
        sortBy: name,
        cell: (share) => (
          <>
            <span className="block truncate" title={name(share)} dir="auto">
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
        nameOf={({ thread }) => threadName(thread.name)}
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

/** Whom links may be for. Applies immediately. */
function SharingLimitField() {
  const { t } = useTranslation("share");
  const setup = useQuery(setupQuery).data;
  const save = useLimitSharing();
  const limit = sharingLimits.find((each) => each === setup?.ThreadSharing) ?? defaultSharing;
  const { multiUser } = useRights();
  /** An instance without accounts has no members, so this limit is named after the instance. */
  const nameOf = (each: SharingLimit) => (each === "team" && !multiUser ? "instance" : each);
  const change = (next: SharingLimit): void => {
    if (!save.isPending)
      save.mutate(next, {
        onSuccess: () =>
          toast.success(t(`admin.limitSaved.${nameOf(next)}`), () => save.mutate(limit)),
      });
  };
  return (
    <div className="grid grid-cols-1 justify-items-start gap-1.5">
      <span className={labelStyles}>{t("admin.limit")}</span>
      <Segmented
        label={t("admin.limit")}
        value={limit}
        options={sharingLimits
          .toReversed()
          .map((value) => ({ value, label: t(`admin.limits.${nameOf(value)}`) }))}
        disabled={setup === undefined}
        onChange={change}
      />
      <p className="text-xs text-fg-3">{t("admin.limitHelp")}</p>
    </div>
  );
}
