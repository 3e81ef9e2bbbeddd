import type { InviteWire, Out, listInviteLimits } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Ban, Link, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { copyText } from "../../../components/ui/copy-button.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatAgo, formatTime, joinNames } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  inviteLimitsQuery,
  invitesQuery,
  linkOf,
  useDisableInvite,
  workspaceIdsOf,
} from "../api/users.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { isMasked, maskCode } from "./secret-dialog.tsx";
import { EmptyList, ListPane, PhoneLabel } from "./settings-page.tsx";

const tones = { pending: "info", claimed: "success", disabled: "neutral" } as const;

interface Cell {
  invite: InviteWire;
  /** Undefined until loaded. */
  limits: Out<typeof listInviteLimits>["limits"][number] | undefined;
}

const isExpired = ({ invite, limits }: Cell): boolean =>
  invite.status === "pending" &&
  limits?.expiresAt != null &&
  Date.parse(limits.expiresAt) <= Date.now();

/** Whom an invite is for, and the end of its code. */
function Invitee({ invite, limits }: Cell) {
  const { t } = useTranslation("admin");
  return (
    <>
      {limits?.label != null && (
        <span className="block truncate font-medium" title={limits.label} dir="auto">
          {limits.label}
        </span>
      )}
      <span className="block truncate font-mono text-[0.93em]" dir="ltr">
        {maskCode(invite.code)}
      </span>
      {limits?.role === "manager" && (
        <span className="block truncate text-xs text-fg-3">{t("users.role.manager")}</span>
      )}
    </>
  );
}

/** Whether an invite can be accepted, how often and until when. */
function InviteState({ invite, limits }: Cell) {
  const { t } = useTranslation("admin");
  const expired = isExpired({ invite, limits });
  return (
    <>
      <Badge tone={expired ? "neutral" : tones[invite.status]}>
        {t(`invites.status.${expired ? "expired" : invite.status}`)}
      </Badge>
      {limits !== undefined && limits.maxUses > 1 && (
        <span className="block truncate text-xs text-fg-3 tabular-nums">
          {t("invites.usesOf", { uses: limits.uses, count: limits.maxUses })}
        </span>
      )}
      {invite.status === "pending" && limits?.expiresAt != null && !expired && (
        <span className="block truncate text-xs text-fg-3 tabular-nums">
          {t("invites.until", { time: formatTime(Date.parse(limits.expiresAt)) })}
        </span>
      )}
    </>
  );
}

const order = { pending: 0, claimed: 1, disabled: 2 } as const;

/** Links that let people create their own accounts. */
export function InvitesPage() {
  const { t } = useTranslation("admin");
  const { admin } = useRights();
  const invites = useQuery(invitesQuery);
  const limits = useQuery(inviteLimitsQuery).data;
  const workspaces = useQuery(adminWorkspacesQuery);
  const disable = useDisableInvite();
  const [making, setMaking] = useState(false);
  const [disabling, setDisabling] = useState<InviteWire | null>(null);
  const names = useMemo(
    () => new Map((workspaces.data ?? []).map((workspace) => [workspace.id, workspace.name])),
    [workspaces.data],
  );
  const columns = useMemo<Column<InviteWire>[]>(
    () => [
      {
        id: "code",
        head: t("invites.columnCode"),
        width: "minmax(0, 0.8fr)",
        cell: (invite) => <Invitee invite={invite} limits={limits?.get(invite.id)} />,
      },
      {
        id: "status",
        head: t("invites.columnStatus"),
        width: "190px",
        sortBy: (invite) => order[invite.status],
        cell: (invite) => (
          <>
            <InviteState invite={invite} limits={limits?.get(invite.id)} />
            {invite.claimedBy && (
              <span className="block truncate text-xs text-fg-3">
                {t("invites.acceptedBy", { name: invite.claimedBy.username })}
              </span>
            )}
          </>
        ),
      },
      {
        id: "workspaces",
        head: t("invites.columnWorkspaces"),
        width: "minmax(0, 1fr)",
        cell: (invite) => {
          const text = joinNames(
            workspaceIdsOf(invite).map((id) => names.get(id) ?? t("invites.workspaceGone")),
          );
          return (
            <span className="block truncate text-fg-2" title={text}>
              <PhoneLabel>{t("invites.columnWorkspaces")}:</PhoneLabel>
              {text || t("invites.noWorkspaces")}
            </span>
          );
        },
      },
      {
        id: "made",
        head: t("invites.columnCreated"),
        width: "150px",
        sortBy: (invite) => Date.parse(invite.createdAt) || 0,
        cell: (invite) => (
          <span className="text-xs text-fg-3 tabular-nums">
            <PhoneLabel>{t("invites.columnCreated")}</PhoneLabel>
            {formatAgo(invite.createdAt)}
            {typeof invite.createdBy === "object" && invite.createdBy !== null && (
              <span className="block truncate">
                {t("invites.createdBy", { name: invite.createdBy.username })}
              </span>
            )}
          </span>
        ),
      },
    ],
    [t, names, limits],
  );
  const copyLink = async (invite: InviteWire): Promise<void> => {
    await copyText(linkOf(invite));
    toast.success(t("invites.copied"));
  };
  const all = invites.data ?? [];
  const add = (
    <Button variant="primary" onClick={() => setMaking(true)}>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("invites.add")}
    </Button>
  );
  return (
    <ListPane
      label={t("invites.list")}
      hint={all.length > 0 ? t(admin ? "invites.masked" : "invites.shownOnce") : undefined}
      head={
        all.length > 0 && (
          <>
            <span className="text-fg-3 tabular-nums" role="status">
              {t("invites.count", { count: all.length })}
            </span>
            <span className="flex-1" />
            {add}
          </>
        )
      }
    >
      <DataTable
        label={t("invites.list")}
        columns={columns}
        rows={all}
        keyOf={(invite) => invite.id}
        nameOf={(invite) => maskCode(invite.code)}
        initialSort={{ column: "made", down: true }}
        query={invites}
        menuOf={(invite) =>
          invite.status === "pending"
            ? [
                ...(isMasked(invite.code)
                  ? []
                  : [{ label: t("invites.copy"), icon: Link, run: () => void copyLink(invite) }]),
                {
                  label: t("invites.disable"),
                  icon: Ban,
                  danger: true,
                  run: () => setDisabling(invite),
                },
              ]
            : []
        }
        empty={
          <EmptyList title={t("invites.emptyTitle")} text={t("invites.emptyText")}>
            {add}
          </EmptyList>
        }
      />
      {making && <InviteDialog isAdmin={admin} onClose={() => setMaking(false)} />}
      {disabling && (
        <ConfirmDialog
          open
          title={t("invites.disableTitle")}
          text={t("invites.disableText")}
          action={t("invites.disable")}
          onClose={() => setDisabling(null)}
          onConfirm={() =>
            disable.mutateAsync(disabling.id, {
              onSuccess: () => toast.success(t("invites.disabled")),
            })
          }
        />
      )}
    </ListPane>
  );
}
