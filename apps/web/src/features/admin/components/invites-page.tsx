import type { InviteWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Ban, Plus } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { invitesQuery, useDisableInvite, workspaceIdsOf } from "../api/invites.ts";
import { adminWorkspacesQuery } from "../api/workspaces.ts";
import { DataTable, EmptyList, type Column } from "./data-table.tsx";
import { InviteDialog } from "./invite-dialog.tsx";

const look = { pending: "badge info", claimed: "badge ok", disabled: "badge" } as const;
const order = { pending: 0, claimed: 1, disabled: 2 } as const;

/** Links that let people create their own accounts. */
export function InvitesPage() {
  const { t } = useTranslation("admin");
  const invites = useQuery(invitesQuery);
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
        cell: (invite) => (
          <span className="mono cut block" dir="ltr">
            {invite.code}
          </span>
        ),
      },
      {
        id: "status",
        head: t("invites.columnStatus"),
        width: "190px",
        sortBy: (invite) => order[invite.status],
        cell: (invite) => (
          <>
            <span className={look[invite.status]}>{t(`invites.status.${invite.status}`)}</span>
            {invite.claimedBy && (
              <span className="sub cut block">
                {t("invites.madeBy", { name: invite.claimedBy.username })}
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
          const text = workspaceIdsOf(invite)
            .map((id) => names.get(id) ?? t("invites.workspaceGone"))
            .join(", ");
          return (
            <span className="cut block t2" title={text}>
              <span className="label">{t("invites.columnWorkspaces")}: </span>
              {text || t("invites.noWorkspaces")}
            </span>
          );
        },
      },
      {
        id: "made",
        head: t("invites.columnMade"),
        width: "150px",
        sortBy: (invite) => Date.parse(invite.createdAt) || 0,
        cell: (invite) => (
          <span className="xs t3 num">
            <span className="label">{t("invites.columnMade")} </span>
            {formatAgo(invite.createdAt)}
            {typeof invite.createdBy === "object" && invite.createdBy !== null && (
              <span className="cut block">
                {t("invites.madeBy", { name: invite.createdBy.username })}
              </span>
            )}
          </span>
        ),
      },
    ],
    [t, names],
  );
  const all = invites.data ?? [];
  const add = (
    <button type="button" className="btn primary" onClick={() => setMaking(true)}>
      <Plus className="i sm" aria-hidden="true" />
      {t("invites.add")}
    </button>
  );
  return (
    <section className="pane grow adm" aria-label={t("invites.list")}>
      <div className="pane-head">
        {invites.data && all.length > 0 && (
          <span className="t3 num" role="status">
            {t("invites.count", { count: all.length })}
          </span>
        )}
        <span className="grow" />
        {all.length > 0 && add}
      </div>
      <p className="hint">{t("invites.masked")}</p>
      <DataTable
        label={t("invites.list")}
        columns={columns}
        rows={all}
        keyOf={(invite) => invite.id}
        nameOf={(invite) => invite.code}
        initialSort={{ column: "made", down: true }}
        query={invites}
        menuOf={(invite) =>
          invite.status === "pending"
            ? [
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
      {making && <InviteDialog onClose={() => setMaking(false)} />}
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
    </section>
  );
}
