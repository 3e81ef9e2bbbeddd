import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ArrowUpRight, Plus, Search, Trash2, Users } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog, NameDialog } from "../../../components/ui/dialogs.tsx";
import { formatAgo } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import {
  adminWorkspacesQuery,
  useCreateWorkspace,
  useDeleteWorkspace,
  type AdminWorkspace,
} from "../api/workspaces.ts";
import { DataTable, EmptyList, type Column } from "./data-table.tsx";
import { MembersDialog } from "./members-dialog.tsx";

type Asked = { kind: "add" } | { kind: "members" | "delete"; workspace: AdminWorkspace };

/** All workspaces and their members. */
export function WorkspacesPage() {
  const { t } = useTranslation("admin");
  const navigate = useNavigate();
  const workspaces = useQuery(adminWorkspacesQuery);
  const create = useCreateWorkspace();
  const remove = useDeleteWorkspace();
  const [search, setSearch] = useState("");
  const [asked, setAsked] = useState<Asked | null>(null);
  const term = useDeferredValue(search.trim().toLowerCase());
  const close = (): void => setAsked(null);
  const columns = useMemo<Column<AdminWorkspace>[]>(
    () => [
      {
        id: "name",
        head: t("workspaces.columnName"),
        width: "minmax(0, 1fr)",
        sortBy: (workspace) => workspace.name,
        cell: (workspace) => (
          <b className="med cut block" title={workspace.name}>
            {workspace.name}
          </b>
        ),
      },
      {
        id: "members",
        head: t("workspaces.columnMembers"),
        width: "200px",
        sortBy: (workspace) => workspace.userIds.length,
        cell: (workspace) => (
          <button
            type="button"
            className="title num"
            aria-label={`${t("workspaces.manageOf", { name: workspace.name })}: ${workspace.userIds.length}`}
            onClick={() => setAsked({ kind: "members", workspace })}
          >
            <Users className="i sm" aria-hidden="true" />
            {t("workspaces.members", { count: workspace.userIds.length })}
          </button>
        ),
      },
      {
        id: "made",
        head: t("workspaces.columnMade"),
        width: "110px",
        className: "phone-off",
        sortBy: (workspace) => Date.parse(workspace.createdAt) || 0,
        cell: (workspace) => <span className="xs t3 num">{formatAgo(workspace.createdAt)}</span>,
      },
    ],
    [t],
  );
  const all = workspaces.data ?? [];
  const found =
    term === "" ? all : all.filter((workspace) => workspace.name.toLowerCase().includes(term));
  const add = (
    <button type="button" className="btn primary" onClick={() => setAsked({ kind: "add" })}>
      <Plus className="i sm" aria-hidden="true" />
      {t("workspaces.add")}
    </button>
  );
  return (
    <section className="pane grow adm" aria-label={t("workspaces.list")}>
      <div className="pane-head">
        <label className="field-sm">
          <Search className="i sm" aria-hidden="true" />
          <input
            type="search"
            value={search}
            placeholder={t("workspaces.search")}
            aria-label={t("workspaces.search")}
            onChange={(event) => setSearch(event.target.value)}
          />
        </label>
        {workspaces.data && (
          <span className="t3 num count" role="status">
            {t("workspaces.count", { count: found.length })}
          </span>
        )}
        <span className="grow" />
        {add}
      </div>
      <p className="hint">{t("workspaces.membersHint")}</p>
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
            run: () => setAsked({ kind: "members", workspace }),
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
            run: () => setAsked({ kind: "delete", workspace }),
          },
        ]}
        empty={
          term === "" ? (
            <EmptyList title={t("workspaces.emptyTitle")} text={t("workspaces.emptyText")} />
          ) : (
            <p className="t3 p-6">{t("noMatch", { term: search.trim() })}</p>
          )
        }
      />
      {asked?.kind === "add" && (
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
      {asked?.kind === "members" && <MembersDialog workspace={asked.workspace} onClose={close} />}
      {asked?.kind === "delete" && (
        <ConfirmDialog
          open
          title={t("workspaces.deleteTitle", { name: asked.workspace.name })}
          text={t("workspaces.deleteText")}
          action={t("workspaces.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(asked.workspace.id, {
              onSuccess: () =>
                toast.success(t("workspaces.deleted", { name: asked.workspace.name })),
            })
          }
        />
      )}
    </section>
  );
}
