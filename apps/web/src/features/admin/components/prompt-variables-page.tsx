import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { toast } from "../../../lib/toast.ts";
import { variablesQuery, type PromptVariable } from "../../../lib/prompt-variables.ts";
import { useDeleteVariable } from "../api/variables.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { VariableDialog } from "./variable-dialog.tsx";

type OwnVariable = PromptVariable & { id: number };
type Asked = { kind: "add" } | { kind: "edit" | "delete"; variable: OwnVariable };
interface Row {
  place: number;
  variable: PromptVariable;
}

const isOwn = (variable: PromptVariable): variable is OwnVariable => variable.id !== undefined;

/** Named values in system prompts: the built-in ones and those of this instance. */
export function PromptVariablesPage() {
  const { t } = useTranslation("admin");
  const variables = useQuery(variablesQuery);
  const remove = useDeleteVariable();
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = (): void => setAsked(null);
  const rows = useMemo(
    () =>
      (variables.data ?? []).map((variable, index): Row => ({
        place: variable.id ?? -1 - index,
        variable,
      })),
    [variables.data],
  );
  const columns = useMemo<Column<Row>[]>(
    () => [
      {
        id: "key",
        head: t("variables.columnKey"),
        width: "minmax(0, 0.7fr)",
        sortBy: ({ variable }) => variable.key,
        cell: ({ variable }) => (
          <code
            className="mono cut block"
            dir="ltr"
            title={variable.key}
          >{`{${variable.key}}`}</code>
        ),
      },
      {
        id: "value",
        head: t("variables.columnValue"),
        width: "minmax(0, 1fr)",
        sortBy: ({ variable }) => variable.value ?? "",
        cell: ({ variable }) =>
          variable.id === undefined ? (
            <span className="t3">{t(`variables.from.${variable.type}`)}</span>
          ) : (
            <span className="cut block" title={variable.value}>
              {variable.value}
            </span>
          ),
      },
      {
        id: "description",
        head: t("variables.columnDescription"),
        width: "minmax(0, 1fr)",
        className: "wide-only",
        sortBy: ({ variable }) => variable.description ?? "",
        cell: ({ variable }) => (
          <span className="cut block t2" title={variable.description ?? undefined}>
            {variable.description}
          </span>
        ),
      },
      {
        id: "kind",
        head: t("variables.columnKind"),
        width: "110px",
        className: "phone-off",
        sortBy: ({ variable }) => (variable.id === undefined ? 1 : 0),
        cell: ({ variable }) => (
          <span className="badge">
            {variable.id === undefined ? t("variables.builtIn") : t("variables.own")}
          </span>
        ),
      },
    ],
    [t],
  );
  const own = rows.filter(({ variable }) => variable.id !== undefined).length;
  return (
    <section className="pane grow adm" aria-label={t("variables.list")}>
      <div className="pane-head">
        <span className="t3 num count" role="status">
          {variables.data && t("variables.count", { count: own })}
        </span>
        <span className="grow" />
        <button type="button" className="btn primary" onClick={() => setAsked({ kind: "add" })}>
          <Plus className="i sm" aria-hidden="true" />
          {t("variables.add")}
        </button>
      </div>
      <p className="hint">{t("variables.hint")}</p>
      <DataTable
        label={t("variables.list")}
        columns={columns}
        rows={rows}
        keyOf={({ place }) => place}
        nameOf={({ variable }) => variable.key}
        initialSort={{ column: "kind", down: false }}
        query={variables}
        menuOf={({ variable }) =>
          !isOwn(variable)
            ? []
            : [
                {
                  label: t("variables.edit"),
                  icon: Pencil,
                  run: () => setAsked({ kind: "edit", variable }),
                },
                {
                  label: t("variables.delete"),
                  icon: Trash2,
                  danger: true,
                  run: () => setAsked({ kind: "delete", variable }),
                },
              ]
        }
        empty={null}
      />
      {(asked?.kind === "add" || asked?.kind === "edit") && (
        <VariableDialog
          variable={asked.kind === "edit" ? asked.variable : null}
          variables={variables.data ?? []}
          onClose={close}
        />
      )}
      {asked?.kind === "delete" && (
        <ConfirmDialog
          open
          title={t("variables.deleteTitle", { name: asked.variable.key })}
          text={t("variables.deleteText")}
          action={t("variables.delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(asked.variable.id, {
              onSuccess: () => toast.success(t("variables.deleted", { name: asked.variable.key })),
            })
          }
        />
      )}
    </section>
  );
}
