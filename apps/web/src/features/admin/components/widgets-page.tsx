import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ChartColumn, Code, MessagesSquare, Pencil, Plus, Power, Trash2 } from "lucide-react";
import { useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import {
  nameOfWidget,
  useAllowlistRequired,
  useCreateWidget,
  useDeleteWidget,
  useUpdateWidget,
  widgetsQuery,
  type Widget,
} from "../api/widgets.ts";
import { DataTable, rowButton, type Column } from "./data-table.tsx";
import { EmptyList, ListPane, PhoneLabel, RowCount, SettingsBoundary } from "./settings-page.tsx";
import { WidgetSnippetDialog, WidgetUsageDialog } from "./widget-dialogs.tsx";
import { WidgetEditor } from "./widget-editor.tsx";

interface Props {
  edited: number | null;
  onEdit: (id: number | null) => void;
}

/** Chats for visitors of websites: the list, or the settings of one widget. */
export function WidgetsPage({ edited, onEdit }: Props) {
  if (edited === null) return <WidgetList onEdit={onEdit} />;
  return (
    <SettingsBoundary key={edited}>
      <WidgetEditor id={edited} onClose={() => onEdit(null)} />
    </SettingsBoundary>
  );
}

type Open = { dialog: "snippet" | "usage" | "delete"; widget: Widget };

function WidgetList({ onEdit }: Pick<Props, "onEdit">) {
  const { t } = useTranslation("widgets");
  const navigate = useNavigate();
  const widgets = useQuery(widgetsQuery);
  const update = useUpdateWidget({ errorToast: true });
  const remove = useDeleteWidget();
  const [adding, setAdding] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const columns = useColumns(onEdit);
  const all = widgets.data ?? [];
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      <Plus className="size-3.5 stroke-2" aria-hidden="true" />
      {t("add")}
    </Button>
  );
  return (
    <ListPane
      label={t("list")}
      head={
        all.length > 0 && (
          <>
            <RowCount>{t("count", { count: all.length })}</RowCount>
            <span className="flex-1" />
            {add}
          </>
        )
      }
    >
      <DataTable
        label={t("list")}
        columns={columns}
        rows={all}
        keyOf={({ id }) => id}
        nameOf={nameOfWidget}
        initialSort={{ column: "name", down: false }}
        query={widgets}
        menuOf={(widget) => [
          { label: t("menu.edit"), icon: Pencil, run: () => onEdit(widget.id) },
          {
            label: t("menu.snippet"),
            icon: Code,
            run: () => setOpen({ dialog: "snippet", widget }),
          },
          {
            label: t("menu.chats"),
            icon: MessagesSquare,
            run: () =>
              void navigate({ to: "/settings/embed-chats", search: { widget: widget.id } }),
          },
          {
            label: t("menu.usage"),
            icon: ChartColumn,
            run: () => setOpen({ dialog: "usage", widget }),
          },
          {
            label: t(widget.enabled ? "menu.disable" : "menu.enable"),
            icon: Power,
            run: () => update.mutate({ id: widget.id, enabled: !widget.enabled }),
          },
          {
            label: t("menu.delete"),
            icon: Trash2,
            danger: true,
            run: () => setOpen({ dialog: "delete", widget }),
          },
        ]}
        empty={
          <EmptyList title={t("emptyTitle")} text={t("emptyText")}>
            {add}
          </EmptyList>
        }
      />
      {adding && <WidgetDialog onCreated={onEdit} onClose={() => setAdding(false)} />}
      {open?.dialog === "snippet" && (
        <WidgetSnippetDialog widget={open.widget} onClose={() => setOpen(null)} />
      )}
      {open?.dialog === "usage" && (
        <WidgetUsageDialog widget={open.widget} onClose={() => setOpen(null)} />
      )}
      {open?.dialog === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteTitle", { name: nameOfWidget(open.widget) })}
          text={t("deleteText", { count: open.widget._count.embed_chats })}
          action={t("menu.delete")}
          onClose={() => setOpen(null)}
          onConfirm={() =>
            remove.mutateAsync(open.widget.id, { onSuccess: () => toast.success(t("deleted")) })
          }
        />
      )}
    </ListPane>
  );
}

function useColumns(onEdit: (id: number) => void): Column<Widget>[] {
  const { t } = useTranslation("widgets");
  return useMemo(
    () => [
      {
        id: "name",
        head: t("columnName"),
        width: "minmax(0, 1fr)",
        sortBy: nameOfWidget,
        cell: (widget) => (
          <span className="flex items-center gap-2">
            <button type="button" className={rowButton} onClick={() => onEdit(widget.id)}>
              <span className="truncate">{nameOfWidget(widget)}</span>
            </button>
            {!widget.enabled && <Badge>{t("disabled")}</Badge>}
          </span>
        ),
      },
      {
        id: "workspace",
        head: t("columnWorkspace"),
        width: "minmax(0, 0.8fr)",
        sortBy: ({ workspace }) => workspace.name,
        cell: ({ workspace }) => (
          <span className="block truncate" dir="auto">
            {workspace.name}
          </span>
        ),
      },
      {
        id: "sites",
        head: t("columnSites"),
        width: "minmax(0, 0.9fr)",
        hiddenBelow: "lg",
        cell: (widget) => <Sites widget={widget} />,
      },
      {
        id: "chats",
        head: t("columnChats"),
        width: "80px",
        sortBy: ({ _count }) => _count.embed_chats,
        cell: ({ _count }) => (
          <span className="text-xs text-fg-3 tabular-nums">
            <PhoneLabel>{t("columnChats")}:</PhoneLabel>
            {formatNumber(_count.embed_chats)}
          </span>
        ),
      },
    ],
    [t, onEdit],
  );
}

function Sites({ widget }: { widget: Widget }) {
  const { t } = useTranslation("widgets");
  const isListRequired = useAllowlistRequired();
  const [first, ...others] = JSON.parse(widget.allowlist_domains ?? "[]") as string[];
  if (first === undefined) {
    if (widget.allow_any_origin && !isListRequired)
      return <Badge tone="warning">{t("anySite")}</Badge>;
    return (
      <span className="text-xs text-fg-3">{t(widget.page_enabled ? "onlyPage" : "noSites")}</span>
    );
  }
  return (
    <span className="block truncate text-xs text-fg-2">
      {others.length === 0 ? (
        <bdi>{first}</bdi>
      ) : (
        t("moreSites", { site: first, count: others.length })
      )}
    </span>
  );
}

/** Creates a widget, which no site may use until its settings allow it. */
function WidgetDialog({
  onCreated,
  onClose,
}: {
  onCreated: (id: number) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("widgets");
  const workspaces = useQuery(workspacesQuery);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const create = useCreateWidget();
  const error = create.error ?? workspaces.error;
  const all = workspaces.data ?? [];
  const workspaceId = chosen ?? String(all[0]?.id ?? "");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (create.isPending || workspaceId === "") return;
    create.mutate(
      { name: name.trim(), workspace_id: Number(workspaceId), allow_any_origin: false },
      { onSuccess: onCreated },
    );
  };
  return (
    <Dialog open onClose={onClose} title={t("newTitle")} description={t("newText")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        <TextField
          label={t("name")}
          extra={<span className="text-fg-3">{t("optional")}</span>}
          help={t("nameHelp")}
          value={name}
          maxLength={100}
          autoFocus
          autoComplete="off"
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField label={t("workspace")} value={workspaceId} onChange={setChosen}>
          {all.map((workspace) => (
            <option key={workspace.id} value={workspace.id}>
              {workspace.name}
            </option>
          ))}
        </SelectField>
        {error && (
          <Notice kind="bad">
            <p>{error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={create.isPending || workspaceId === ""}>
            {t(create.isPending ? "creating" : "create")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
