import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Pencil, Plus, ShieldOff, Trash2 } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Avatar, initialsOf } from "../../../components/ui/avatar.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { useCurrentUser, useRights } from "../../../lib/current-user.ts";
import { formatAgo, formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  useDeleteUser,
  useRemoveUserSecondFactor,
  useSuspendUser,
  usersQuery,
} from "../api/users.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPane, PhoneLabel, RowCount } from "./settings-page.tsx";
import { UserDialog } from "./user-dialog.tsx";

type OpenDialog =
  | { kind: "add" }
  | { kind: "edit" | "suspend" | "second-factor" | "delete"; user: UserWire };
const rank = { admin: 0, manager: 1, default: 2 } as const;

/**
 * The accounts of this instance. Hides actions that managers may not take on admins, and that users
 * may not take on themselves.
 */
export function UsersPage() {
  const { t } = useTranslation("admin");
  const users = useQuery(usersQuery);
  const suspend = useSuspendUser();
  const removeSecondFactor = useRemoveUserSecondFactor();
  const remove = useDeleteUser();
  const me = useCurrentUser();
  const { admin } = useRights();
  const [search, setSearch] = useState("");
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const term = useDeferredValue(search.trim().toLowerCase());
  const close = (): void => setDialog(null);

  const columns = useMemo<Column<UserWire>[]>(
    () => [
      {
        id: "name",
        head: t("users.columnName"),
        width: "minmax(0, 1fr)",
        sortBy: (user) => user.username,
        cell: (user) => (
          <div className="flex min-w-0 items-center gap-2.5">
            <Avatar size="md" initials={initialsOf(user.username)} />
            <div className="grid min-w-0 flex-1">
              <span className="truncate">
                <b className="font-medium" title={user.username}>
                  {user.username}
                </b>
                <span className="ms-2 inline-flex gap-1.5 align-[1px]">
                  {user.id === me?.id && <Badge>{t("users.you")}</Badge>}
                  {user.suspended === 1 && <Badge tone="danger">{t("users.suspended")}</Badge>}
                </span>
              </span>
              {(user.email || user.bio) && (
                <span className="truncate text-xs text-fg-3" title={user.email ?? user.bio}>
                  {user.email ?? user.bio}
                </span>
              )}
            </div>
          </div>
        ),
      },
      {
        id: "role",
        head: t("users.columnRole"),
        width: "120px",
        sortBy: (user) => rank[user.role],
        cell: (user) => t(`users.role.${user.role}`),
      },
      {
        id: "factor",
        head: t("users.secondFactor"),
        width: "130px",
        hiddenBelow: "lg",
        hiddenOnPhones: true,
        sortBy: (user) => Number(!user.secondFactor),
        cell: (user) =>
          user.secondFactor ? (
            <span className="flex items-center gap-2 text-fg-2">
              <CircleCheck className="size-3.5 stroke-2" aria-hidden="true" />
              {t("users.factorOn")}
            </span>
          ) : (
            <span className="text-fg-3">–</span>
          ),
      },
      {
        id: "limit",
        head: t("users.columnLimit"),
        width: "160px",
        hiddenBelow: "lg",
        sortBy: (user) => (user.role === "admin" ? null : user.dailyMessageLimit) ?? Infinity,
        cell: (user) => (
          <span className="tabular-nums">
            <PhoneLabel>{t("users.columnLimit")}:</PhoneLabel>
            {user.role === "admin" || user.dailyMessageLimit === null
              ? t("users.noLimit")
              : formatNumber(user.dailyMessageLimit)}
          </span>
        ),
      },
      {
        id: "added",
        head: t("users.columnAdded"),
        width: "110px",
        hiddenOnPhones: true,
        sortBy: (user) => Date.parse(user.createdAt) || 0,
        cell: (user) => (
          <span className="text-xs text-fg-3 tabular-nums">{formatAgo(user.createdAt)}</span>
        ),
      },
    ],
    [t, me?.id],
  );

  const toastDone =
    (
      done:
        | "users.suspendDone"
        | "users.unsuspendDone"
        | "users.secondFactorDone"
        | "users.deleteDone",
      user: UserWire,
    ) =>
    (): void =>
      toast.success(t(done, { name: user.username }));
  const menuOf = (user: UserWire) => {
    const own = user.id === me?.id;
    if (user.role === "admin" && !admin) return [];
    return [
      { label: t("users.edit"), icon: Pencil, run: () => setDialog({ kind: "edit", user }) },
      ...(user.secondFactor && !own
        ? [
            {
              label: t("users.removeSecondFactor"),
              icon: ShieldOff,
              run: () => setDialog({ kind: "second-factor", user }),
            },
          ]
        : []),
      ...(own
        ? []
        : [
            user.suspended === 1
              ? {
                  label: t("users.unsuspend"),
                  icon: CircleCheck,
                  run: () =>
                    suspend.mutate(
                      { id: user.id, suspended: 0 },
                      { onSuccess: toastDone("users.unsuspendDone", user) },
                    ),
                }
              : {
                  label: t("users.suspend"),
                  icon: Ban,
                  run: () => setDialog({ kind: "suspend", user }),
                },
            {
              label: t("users.delete"),
              icon: Trash2,
              danger: true,
              run: () => setDialog({ kind: "delete", user }),
            },
          ]),
    ];
  };
  const all = users.data ?? [];
  const found =
    term === ""
      ? all
      : all.filter((user) =>
          [user.username, user.email ?? "", t(`users.role.${user.role}`)].some((text) =>
            text.toLowerCase().includes(term),
          ),
        );
  const name = dialog && "user" in dialog ? dialog.user.username : "";
  return (
    <ListPane
      label={t("users.list")}
      head={
        <>
          <SearchField
            className="h-8 w-[260px] max-md:h-10 max-md:w-auto max-md:flex-1"
            label={t("users.search")}
            placeholder={t("users.searchHint")}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {users.data && <RowCount>{t("users.count", { count: found.length })}</RowCount>}
          <span className="flex-1 max-md:hidden" />
          <Button variant="primary" onClick={() => setDialog({ kind: "add" })}>
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t("users.add")}
          </Button>
        </>
      }
    >
      <DataTable
        label={t("users.list")}
        columns={columns}
        rows={found}
        keyOf={(user) => user.id}
        nameOf={(user) => user.username}
        menuOf={menuOf}
        initialSort={{ column: "name", down: false }}
        withAvatar
        query={users}
        empty={<p className="text-fg-3 p-6">{t("noMatch", { term: search.trim() })}</p>}
      />
      {dialog?.kind === "add" && (
        <UserDialog user={null} own={false} mayMakeAdmins={admin} onClose={close} />
      )}
      {dialog?.kind === "edit" && (
        <UserDialog
          user={dialog.user}
          own={dialog.user.id === me?.id}
          mayMakeAdmins={admin}
          onClose={close}
        />
      )}
      {dialog?.kind === "suspend" && (
        <ConfirmDialog
          open
          title={t("users.suspendTitle", { name })}
          text={t("users.suspendText", { name })}
          action={t("users.suspend")}
          onClose={close}
          onConfirm={() =>
            suspend.mutateAsync(
              { id: dialog.user.id, suspended: 1 },
              { onSuccess: toastDone("users.suspendDone", dialog.user) },
            )
          }
        />
      )}
      {dialog?.kind === "second-factor" && (
        <ConfirmDialog
          open
          title={t("users.secondFactorTitle", { name })}
          text={t("users.secondFactorText", { name })}
          action={t("users.removeSecondFactor")}
          onClose={close}
          onConfirm={() =>
            removeSecondFactor.mutateAsync(dialog.user.id, {
              onSuccess: toastDone("users.secondFactorDone", dialog.user),
            })
          }
        />
      )}
      {dialog?.kind === "delete" && (
        <ConfirmDialog
          open
          title={t("users.deleteTitle", { name })}
          text={t("users.deleteText")}
          action={t("users.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(dialog.user.id, {
              onSuccess: toastDone("users.deleteDone", dialog.user),
            })
          }
        />
      )}
    </ListPane>
  );
}
