import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { clsx } from "clsx";
import { ArrowUpRight, Plus, Trash2, Users } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ConfirmDialog, NameDialog } from "../../../components/ui/overlays.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  adminWorkspacesQuery,
  useCreateWorkspace,
  useDeleteWorkspace,
  type AdminWorkspace,
} from "../api/workspaces.ts";
import { DataTable, rowButton, type Column } from "./data-table.tsx";
import { MembersDialog } from "./members-dialog.tsx";
import { EmptyList, ListPane, RowCount } from "./settings-page.tsx";

type OpenDialog = { kind: "add" } | { kind: "members" | "delete"; workspace: AdminWorkspace };

/** All workspaces and their members. */
export function WorkspacesPage() {
  const { t } = useTranslation("admin");
  const navigate = useNavigate();
  const workspaces = useQuery(adminWorkspacesQuery);
  const create = useCreateWorkspace();
  const remove = useDeleteWorkspace();
  const [search, setSearch] = useState("");
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const term = useDeferredValue(search.trim().toLowerCase());
  const close = (): void => setDialog(null);
  const columns = useMemo<Column<AdminWorkspace>[]>(
    () => [
      {
        id: "name",
        head: t("workspaces.columnName"),
        width: "minmax(0, 1fr)",
        sortBy: (workspace) => workspace.name,
        cell: (workspace) => (
          <b className="block font-medium truncate" title={workspace.name} dir="auto">
            {workspace.name}
          </b>
        ),
      },
      {
        id: "members",
        head: t("workspaces.columnMembers"),
        width: "minmax(108px, 0.6fr)",
        sortBy: (workspace) => workspace.userIds.length,
        cell: (workspace) => (
          <button
            type="button"
            className={clsx(rowButton, "tabular-nums")}
            // Voice control says what is seen.
            aria-label={`${t("workspaces.manageOf", { name: workspace.name })}: ${t("workspaces.members", { count: workspace.userIds.length })}`}
            onClick={() => setDialog({ kind: "members", workspace })}
          >
            <Users className="size-3.5 stroke-2" aria-hidden="true" />
            {t("workspaces.members", { count: workspace.userIds.length })}
          </button>
        ),
      },
      {
        id: "made",
        head: t("workspaces.columnCreated"),
        width: "110px",
        hiddenOnPhones: true,
        sortBy: (workspace) => Date.parse(workspace.createdAt) || 0,
        cell: (workspace) => (
          <span className="text-xs text-fg-3 tabular-nums">{formatAgo(workspace.createdAt)}</span>
        ),
      },
    ],
    [t],
  );
  const all = workspaces.data ?? [];
  const found =
    term === "" ? all : all.filter((workspace) => workspace.name.toLowerCase().includes(term));
  const add = (
    <Button variant="primary" onClick={() => setDialog({ kind: "add" })}>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("workspaces.add")}
    </Button>
  );
  return (
    <ListPane
      label={t("workspaces.list")}
      hint={t("workspaces.membersHint")}
      head={
        <>
          <SearchField
            className="h-8 w-[260px] max-md:h-10 max-md:w-auto max-md:flex-1"
            label={t("workspaces.search")}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {workspaces.data && <RowCount>{t("workspaces.count", { count: found.length })}</RowCount>}
          <span className="flex-1 max-md:hidden" />
          {add}
        </>
      }
    >
      <DataTable
        label={t("workspaces.list")}
        columns={columns}
        rows={found}
        keyOf={(workspace) => workspace.id}
        nameOf={(workspace) => workspace.name}
        initialSort={{ column: "name", down: false }}
        query={workspaces}
        menuOf={(workspace) => [
          {
            label: t("workspaces.manage"),
            icon: Users,
            run: () => setDialog({ kind: "members", workspace }),
          },
          {
            label: t("workspaces.open"),
            icon: ArrowUpRight,
            run: () =>
              void navigate({
                to: "/workspace/$workspaceSlug",
                params: { workspaceSlug: workspace.slug },
              }),
          },
          {
            label: t("workspaces.delete"),
            icon: Trash2,
            danger: true,
            run: () => setDialog({ kind: "delete", workspace }),
          },
        ]}
        empty={
          term === "" ? (
            <EmptyList title={t("workspaces.emptyTitle")} text={t("workspaces.emptyText")} />
          ) : (
            <p className="text-fg-3 p-6">{t("noMatch", { term: search.trim() })}</p>
          )
        }
      />
      {dialog?.kind === "add" && (
        <NameDialog
          open
          title={t("workspaces.newTitle")}
          label={t("workspaces.name")}
          initial=""
          placeholder={t("workspaces.placeholder")}
          action={t("workspaces.add")}
          busyAction={t("workspaces.creating")}
          onClose={close}
          problemOf={(message) => t("workspaces.createFailed", { message })}
          onSubmit={(name) =>
            create.mutateAsync(name, {
              onSuccess: (workspace) =>
                toast.success(t("workspaces.created", { name: workspace.name })),
            })
          }
        />
      )}
      {dialog?.kind === "members" && <MembersDialog workspace={dialog.workspace} onClose={close} />}
      {dialog?.kind === "delete" && (
        <ConfirmDialog
          open
          title={t("workspaces.deleteTitle", { name: dialog.workspace.name })}
          text={t("workspaces.deleteText")}
          action={t("workspaces.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(dialog.workspace.id, {
              onSuccess: () =>
                toast.success(t("workspaces.deleted", { name: dialog.workspace.name })),
            })
          }
        />
      )}
    </ListPane>
  );
}
