import type { WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { UserMinus, Users } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../components/ui/badge.tsx";
import { Button } from "../components/ui/button.tsx";
import { ConfirmDialog } from "../components/ui/overlays.tsx";
import { usersQuery } from "../features/admin/api/users.ts";
import { membersQuery, useUpdateMembers } from "../features/admin/api/workspaces.ts";
import { DataTable, type Column } from "../features/admin/components/data-table.tsx";
import { MembersDialog } from "../features/admin/components/members-dialog.tsx";
import { EmptyList, ListPane, RowCount } from "../features/admin/components/settings-page.tsx";
import { toast } from "../lib/toast.ts";

interface Person {
  id: number;
  username: string;
  role: "default" | "manager" | "admin";
  member: boolean;
  suspended: boolean;
}

/** Everyone who may use a workspace: its members, and users who can see every workspace. */
export default function WorkspaceMembers({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("workspace");
  const users = useQuery(usersQuery);
  const members = useQuery(membersQuery(workspace.id));
  const update = useUpdateMembers();
  const [managing, setManaging] = useState(false);
  const [removing, setRemoving] = useState<Person | null>(null);
  const userIds = useMemo(() => (members.data ?? []).map(({ userId }) => userId), [members.data]);
  const people = useMemo(() => {
    const inside = new Set(userIds);
    return (users.data ?? [])
      .map(({ id, username, role, suspended }): Person => ({
        id,
        username,
        role,
        member: inside.has(id),
        suspended: suspended === 1,
      }))
      .filter((person) => person.member || person.role !== "default");
  }, [users.data, userIds]);
  const columns = useMemo<Column<Person>[]>(
    () => [
      {
        id: "name",
        head: t("memberName"),
        width: "minmax(0, 1fr)",
        sortBy: (person) => person.username,
        cell: (person) => (
          <span className="flex items-center gap-2">
            <b className="font-medium truncate" title={person.username} dir="auto">
              {person.username}
            </b>
            {person.suspended && <Badge tone="warning">{t("memberSuspended")}</Badge>}
          </span>
        ),
      },
      {
        id: "role",
        head: t("memberRole"),
        width: "140px",
        sortBy: (person) => t(`role.${person.role}`),
        cell: (person) => t(`role.${person.role}`),
      },
      {
        id: "access",
        head: t("memberAccess"),
        width: "minmax(0, 0.7fr)",
        sortBy: (person) => Number(person.role !== "default"),
        cell: (person) => (
          <span className={person.role === "default" ? undefined : "text-fg-3"}>
            {person.role === "default" ? t("memberIs") : t("memberSeesAll")}
          </span>
        ),
      },
    ],
    [t],
  );
  const manage = (
    <Button variant="primary" disabled={!members.data} onClick={() => setManaging(true)}>
      <Users className="size-3.5 stroke-2" aria-hidden="true" />
      {t("membersManage")}
    </Button>
  );
  const error = users.error ?? members.error;
  return (
    <ListPane
      label={t("members", { name: workspace.name })}
      hint={t("membersHint")}
      head={
        <>
          <RowCount>
            {users.data && members.data && t("membersCount", { count: people.length })}
          </RowCount>
          <span className="flex-1" />
          {manage}
        </>
      }
    >
      <DataTable
        label={t("members", { name: workspace.name })}
        columns={columns}
        rows={people}
        keyOf={(person) => person.id}
        nameOf={(person) => person.username}
        initialSort={{ column: "access", down: false }}
        query={{
          isPending: !error && (users.isPending || members.isPending),
          error,
          refetch: () => {
            void users.refetch();
            void members.refetch();
          },
        }}
        menuOf={(person) =>
          person.role === "default"
            ? [
                {
                  label: t("memberRemove"),
                  icon: UserMinus,
                  danger: true,
                  run: () => setRemoving(person),
                },
              ]
            : []
        }
        empty={<EmptyList title={t("membersEmpty")} text={t("membersEmptyText")} />}
      />
      {managing && (
        <MembersDialog workspace={{ ...workspace, userIds }} onClose={() => setManaging(false)} />
      )}
      {removing && (
        <ConfirmDialog
          open
          title={t("memberRemoveTitle", { name: removing.username, workspace: workspace.name })}
          text={t("memberRemoveText", { name: removing.username })}
          action={t("memberRemove")}
          onClose={() => setRemoving(null)}
          onConfirm={() =>
            update.mutateAsync(
              { id: workspace.id, userIds: userIds.filter((id) => id !== removing.id) },
              {
                onSuccess: () => toast.success(t("memberRemoved", { name: removing.username })),
                onError: ({ message }) =>
                  toast.error(t("memberNotRemoved", { name: removing.username, message })),
              },
            )
          }
        />
      )}
    </ListPane>
  );
}
