import type { UserWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Ban, CircleCheck, Pencil, Plus, Search, ShieldOff, Trash2 } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { useCurrentUser, useRights } from "../../../lib/current-user.ts";
import { formatAgo, formatNumber } from "../../../lib/format.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { toast } from "../../../lib/toast.ts";
import {
  useDeleteUser,
  useRemoveUserSecondFactor,
  useSuspendUser,
  usersQuery,
} from "../api/users.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { UserDialog } from "./user-dialog.tsx";

type Asked =
  { kind: "add" } | { kind: "edit" | "suspend" | "second-factor" | "delete"; user: UserWire };
const rank = { admin: 0, manager: 1, default: 2 } as const;

/**
 * The accounts of this instance. Hides what managers may not do to admins, and what nobody may do
 * to themselves.
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
  const [asked, setAsked] = useState<Asked | null>(null);
  const term = useDeferredValue(search.trim().toLowerCase());
  const close = (): void => setAsked(null);

  const columns = useMemo<Column<UserWire>[]>(
    () => [
      {
        id: "name",
        head: t("users.columnName"),
        width: "minmax(0, 1fr)",
        sortBy: (user) => user.username,
        cell: (user) => (
          <div className="name">
            <span className="avatar" aria-hidden="true">
              {initialsOf(user.username)}
            </span>
            <div className="grow">
              <span className="cut">
                <b title={user.username}>{user.username}</b>
                <span className="marks">
                  {user.id === me?.id && <span className="badge">{t("users.you")}</span>}
                  {user.suspended === 1 && (
                    <span className="badge bad">{t("users.suspended")}</span>
                  )}
                </span>
              </span>
              {(user.email || user.bio) && (
                <span className="sub cut" title={user.email ?? user.bio}>
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
        className: "wide-only phone-off",
        sortBy: (user) => Number(!user.secondFactor),
        cell: (user) =>
          user.secondFactor ? (
            <span className="row t2">
              <CircleCheck className="i sm" aria-hidden="true" />
              {t("users.factorOn")}
            </span>
          ) : (
            <span className="t3">–</span>
          ),
      },
      {
        id: "limit",
        head: t("users.columnLimit"),
        width: "160px",
        sortBy: (user) => (user.role === "admin" ? null : user.dailyMessageLimit) ?? Infinity,
        cell: (user) => (
          <span className="num">
            <span className="label">{t("users.columnLimit")}: </span>
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
        className: "phone-off",
        sortBy: (user) => Date.parse(user.createdAt) || 0,
        cell: (user) => <span className="xs t3 num">{formatAgo(user.createdAt)}</span>,
      },
    ],
    [t, me?.id],
  );

  const toastDone =
    (
      done:
        "users.suspendDone" | "users.unsuspendDone" | "users.secondFactorDone" | "users.deleteDone",
      user: UserWire,
    ) =>
    (): void =>
      toast.success(t(done, { name: user.username }));
  const menuOf = (user: UserWire) => {
    const own = user.id === me?.id;
    if (user.role === "admin" && !admin) return [];
    return [
      { label: t("users.edit"), icon: Pencil, run: () => setAsked({ kind: "edit", user }) },
      ...(user.secondFactor && !own
        ? [
            {
              label: t("users.removeSecondFactor"),
              icon: ShieldOff,
              run: () => setAsked({ kind: "second-factor", user }),
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
                  run: () => setAsked({ kind: "suspend", user }),
                },
            {
              label: t("users.delete"),
              icon: Trash2,
              danger: true,
              run: () => setAsked({ kind: "delete", user }),
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
  const name = asked && "user" in asked ? asked.user.username : "";
  return (
    <section className="pane grow adm" aria-label={t("users.list")}>
      <div className="pane-head">
        <label className="field-sm">
          <Search className="i sm" aria-hidden="true" />
          <input
            type="search"
            value={search}
            placeholder={t("users.searchHint")}
            aria-label={t("users.search")}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        {users.data && (
          <span className="t3 num count" role="status">
            {t("users.count", { count: found.length })}
          </span>
        )}
        <span className="grow" />
        <button type="button" className="btn primary" onClick={() => setAsked({ kind: "add" })}>
          <Plus className="i sm" aria-hidden="true" />
          {t("users.add")}
        </button>
      </div>
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
        empty={<p className="t3 p-6">{t("noMatch", { term: search.trim() })}</p>}
      />
      {asked?.kind === "add" && (
        <UserDialog user={null} own={false} mayMakeAdmins={admin} onClose={close} />
      )}
      {asked?.kind === "edit" && (
        <UserDialog
          user={asked.user}
          own={asked.user.id === me?.id}
          mayMakeAdmins={admin}
          onClose={close}
        />
      )}
      {asked?.kind === "suspend" && (
        <ConfirmDialog
          open
          title={t("users.suspendTitle", { name })}
          text={t("users.suspendText", { name })}
          action={t("users.suspend")}
          onClose={close}
          onConfirm={() =>
            suspend.mutateAsync(
              { id: asked.user.id, suspended: 1 },
              { onSuccess: toastDone("users.suspendDone", asked.user) },
            )
          }
        />
      )}
      {asked?.kind === "second-factor" && (
        <ConfirmDialog
          open
          title={t("users.secondFactorTitle", { name })}
          text={t("users.secondFactorText", { name })}
          action={t("users.removeSecondFactor")}
          onClose={close}
          onConfirm={() =>
            removeSecondFactor.mutateAsync(asked.user.id, {
              onSuccess: toastDone("users.secondFactorDone", asked.user),
            })
          }
        />
      )}
      {asked?.kind === "delete" && (
        <ConfirmDialog
          open
          title={t("users.deleteTitle", { name })}
          text={t("users.deleteText")}
          action={t("users.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(asked.user.id, {
              onSuccess: toastDone("users.deleteDone", asked.user),
            })
          }
        />
      )}
    </section>
  );
}
