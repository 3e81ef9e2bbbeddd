import { listShares, type Out } from "@carrel/contracts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RevokeShareDialog } from "../../../components/revoke-share-dialog.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { call } from "../../../lib/api.ts";
import { formatAgo, formatTime, joinFacts } from "../../../lib/format.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { shareKeys } from "../../../lib/share.ts";
import { threadName } from "../../../lib/thread-name.ts";

type OwnShare = Out<typeof listShares>["shares"][number];

/** Refetched when opened, because links are created elsewhere and expire. */
const ownSharesQuery = queryOptions({
  queryKey: shareKeys.own,
  staleTime: 0,
  queryFn: ({ signal }) => call(listShares, {}, { signal }),
  select: (reply) => reply.shares,
});

/** The user's own share links, newest first. */
export function LinksTab() {
  const { t } = useTranslation("share");
  const query = useQuery(ownSharesQuery);
  const isOff = useQuery(setupQuery).data?.ThreadSharing === "off";
  const [revoking, setRevoking] = useState<OwnShare | null>(null);
  return (
    <section className="grid content-start gap-4">
      <p className="text-fg-2">{t("own.text")}</p>
      {isOff && (
        <Notice kind="warn">
          <p>{t("own.off")}</p>
        </Notice>
      )}
      {query.isPending && (
        <div className="grid gap-3" aria-label={t("loading")} role="status">
          {[70, 52].map((width) => (
            <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
          ))}
        </div>
      )}
      {query.error && (
        <FailedQuery
          title={t("own.loadFailed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      {query.data?.length === 0 && (
        <div className="grid gap-1">
          <p className="font-medium">{t("admin.emptyTitle")}</p>
          <p className="text-fg-3">{t("admin.emptyText")}</p>
        </div>
      )}
      <ul className="grid" aria-label={t("own.list")}>
        {query.data?.map((share) => (
          <LinkRow key={share.id} share={share} onRevoke={() => setRevoking(share)} />
        ))}
      </ul>
      {revoking && <RevokeShareDialog id={revoking.id} onClose={() => setRevoking(null)} />}
    </section>
  );
}

function LinkRow({ share, onRevoke }: { share: OwnShare; onRevoke: () => void }) {
  const { t } = useTranslation("share");
  const { thread, workspace, audience, expiresAt, isExpired, createdAt } = share;
  const name = threadName(thread.name, thread.slug);
  const expiry =
    expiresAt === null
      ? t("own.never")
      : t(isExpired ? "own.expired" : "own.expires", { time: formatTime(Date.parse(expiresAt)) });
  return (
    <li className="flex min-h-[60px] items-center gap-3 border-subtle py-2 not-first:border-t">
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex min-w-0 items-center gap-2 font-medium">
          <span className="truncate" title={name} dir="auto">
            {name}
          </span>
          <Badge tone={audience === "anyone" ? "warning" : "neutral"}>{t(audience)}</Badge>
        </p>
        <p className="text-xs text-fg-3">
          {joinFacts([
            workspace?.name ?? t("admin.workspaceGone"),
            t("own.created", { when: formatAgo(createdAt) }),
            expiry,
          ])}
        </p>
      </div>
      <Button
        className="max-md:min-h-11"
        variant="quiet"
        size="sm"
        aria-label={t("own.revokeOf", { name })}
        onClick={onRevoke}
      >
        {t("own.revoke")}
      </Button>
    </li>
  );
}
