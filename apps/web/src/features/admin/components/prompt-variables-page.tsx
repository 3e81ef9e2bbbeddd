import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { variablesQuery, type PromptVariable } from "../../../lib/prompt-variables.ts";
import { useDeleteVariable, type OwnVariable } from "../api/variables.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPane, RowCount } from "./list-pane.tsx";
import { VariableDialog } from "./variable-dialog.tsx";

type OpenDialog = { kind: "add" } | { kind: "edit"; variable: OwnVariable };
interface Row {
  place: number;
  variable: PromptVariable;
}

const isOwn = (variable: PromptVariable): variable is OwnVariable => variable.id !== undefined;

/** Named values in system prompts: built-in ones and the instance's own. */
export function PromptVariablesPage() {
  const { t } = useTranslation("admin");
  const variables = useQuery(variablesQuery);
  const remove = useDeleteVariable();
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const close = (): void => setDialog(null);
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
            className="block font-mono text-[0.93em] truncate"
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
            <span className="text-fg-3">{t(`variables.from.${variable.type}`)}</span>
          ) : (
            <span className="block truncate" title={variable.value}>
              {variable.value}
            </span>
          ),
      },
      {
        id: "description",
        head: t("variables.columnDescription"),
        width: "minmax(0, 1fr)",
        hiddenBelow: "lg",
        sortBy: ({ variable }) => variable.description ?? "",
        cell: ({ variable }) => (
          <span className="block truncate text-fg-2" title={variable.description ?? undefined}>
            {variable.description}
          </span>
        ),
      },
      {
        id: "kind",
        head: t("variables.columnKind"),
        width: "110px",
        hiddenOnPhones: true,
        sortBy: ({ variable }) => (variable.id === undefined ? 1 : 0),
        cell: ({ variable }) => (
          <Badge>{variable.id === undefined ? t("variables.builtIn") : t("variables.own")}</Badge>
        ),
      },
    ],
    [t],
  );
  const own = rows.filter(({ variable }) => variable.id !== undefined).length;
  return (
    <ListPane
      label={t("variables.list")}
      hint={t("variables.hint")}
      head={
        <>
          <RowCount>{variables.data && t("variables.count", { count: own })}</RowCount>
          <span className="flex-1" />
          <Button variant="primary" onClick={() => setDialog({ kind: "add" })}>
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t("variables.add")}
          </Button>
        </>
      }
    >
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
                  run: () => setDialog({ kind: "edit", variable }),
                },
                {
                  label: t("variables.delete"),
                  icon: Trash2,
                  danger: true,
                  run: () => remove.mutate(variable),
                },
              ]
        }
        empty={null}
      />
      {dialog && (
        <VariableDialog
          variable={dialog.kind === "edit" ? dialog.variable : null}
          variables={variables.data ?? []}
          onClose={close}
        />
      )}
    </ListPane>
  );
}
