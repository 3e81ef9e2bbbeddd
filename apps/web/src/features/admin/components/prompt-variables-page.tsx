import { createVariable, deleteVariable, updateVariable } from "@carrel/contracts";
import { useMutation, useQuery } from "@tanstack/react-query";
import i18next from "i18next";
import { Pencil, Plus, Trash2 } from "lucide-react";
import { useId, useMemo, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldError, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { call } from "../../../lib/api.ts";
import { variablesQuery, type PromptVariable } from "../../../lib/prompt-variables.ts";
import { optimistic } from "../../../lib/query-client.ts";
import { instanceKeys } from "../../../lib/query-keys.ts";
import { toast } from "../../../lib/toast.ts";
import { DataTable, type Column } from "./data-table.tsx";
import { ListPane, RowCount } from "./settings-page.tsx";

/** A variable of the instance; built-in ones have no ID. */
type OwnVariable = PromptVariable & { id: number };

interface VariableFields {
  key: string;
  value: string;
  description: string;
}

/** Creates a variable if there is no ID. */
const useSaveVariable = () =>
  useMutation({
    mutationFn: ({ id, fields }: { id: number | null; fields: VariableFields }) =>
      id === null ? call(createVariable, fields) : call(updateVariable, { ...fields, id }),
    meta: { invalidates: [instanceKeys.promptVariables], errorToast: false },
  });

const useRestoreVariable = () =>
  useMutation({
    mutationFn: ({ key, value = "", description }: OwnVariable) =>
      call(createVariable, { key, value, description: description ?? "" }),
    meta: { invalidates: [instanceKeys.promptVariables] },
  });

/** The toast offers an undo: prompts use variables by name, so they can be restored. */
const useDeleteVariable = () => {
  const { mutate: restore } = useRestoreVariable();
  return useMutation({
    mutationFn: ({ id }: OwnVariable) => call(deleteVariable, { id }),
    ...optimistic(variablesQuery.queryKey, (reply, { id }: OwnVariable) => ({
      ...reply,
      variables: reply.variables.filter((variable) => variable.id !== id),
    })),
    onSuccess: (_reply, variable) =>
      toast.success(i18next.t("admin:variables.deleted", { name: variable.key }), () =>
        restore(variable),
      ),
    meta: {
      invalidates: [instanceKeys.promptVariables],
      errorToast: (message) => i18next.t("admin:variables.deleteFailed", { message }),
    },
  });
};

/** Creates or edits a prompt variable. */
function VariableDialog({
  variable,
  variables,
  onClose,
}: {
  variable: PromptVariable | null;
  variables: PromptVariable[];
  onClose: () => void;
}) {
  const { t } = useTranslation("admin");
  const id = useId();
  const [fields, setFields] = useState({
    key: variable?.key ?? "",
    value: variable?.value ?? "",
    description: variable?.description ?? "",
  });
  const [checked, setChecked] = useState(false);
  const save = useSaveVariable();
  const faults = variableFaults(
    fields,
    variables.filter((other) => other !== variable),
  );
  const set = (change: Partial<typeof fields>): void => {
    setFields({ ...fields, ...change });
    save.reset();
  };
  const valueFault = checked && faults.value ? t(`variables.fault.${faults.value}`) : null;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setChecked(true);
    if (save.isPending || faults.key || faults.value) return;
    const key = fields.key.trim();
    const onSuccess = (): void => {
      toast.success(t("variables.saved", { name: key }));
      onClose();
    };
    save.mutate({ id: variable?.id ?? null, fields: { ...fields, key } }, { onSuccess });
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={variable ? t("variables.editTitle", { name: variable.key }) : t("variables.addTitle")}
      description={t("variables.dialogText")}
      className="w-[min(560px,100vw-24px)]"
    >
      <form className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        <TextField
          label={t("variables.key")}
          value={fields.key}
          maxLength={255}
          autoFocus
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          dir="ltr"
          help={t("variables.keyHelp")}
          problem={checked && faults.key ? t(`variables.fault.${faults.key}`) : null}
          onChange={(event) => set({ key: event.target.value })}
        />
        <Field>
          <FieldLabel htmlFor={id}>{t("variables.value")}</FieldLabel>
          <Textarea
            className="h-[76px]"
            id={id}
            invalid={Boolean(valueFault)}
            rows={4}
            maxLength={20_000}
            value={fields.value}
            aria-invalid={valueFault ? true : undefined}
            aria-describedby={valueFault ? `${id}-fault` : undefined}
            onChange={(event) => set({ value: event.target.value })}
          />
          {valueFault && (
            <FieldError id={`${id}-fault`} role="alert">
              {valueFault}
            </FieldError>
          )}
        </Field>
        <TextField
          label={t("variables.description")}
          extra={<span className="text-fg-3">{t("users.optional")}</span>}
          value={fields.description}
          maxLength={2_000}
          autoComplete="off"
          onChange={(event) => set({ description: event.target.value })}
        />
        {save.error && (
          <Notice kind="bad">
            <p>{save.error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={save.isPending}>
            {save.isPending ? t("saving") : variable ? t("users.save") : t("variables.add")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

type VariableFault = "keyMissing" | "keyCharacters" | "keyLength" | "keyTaken" | "valueMissing";

/**
 * Errors that the instance would return, by field. `others` are the existing keys, including
 * built-in ones.
 */
export function variableFaults(
  { key, value }: VariableFields,
  others: readonly Pick<PromptVariable, "key">[],
): { key: VariableFault | null; value: VariableFault | null } {
  const name = key.trim();
  const fault =
    name === ""
      ? "keyMissing"
      : !/^[a-zA-Z0-9_]+$/.test(name)
        ? "keyCharacters"
        : name.length < 3 || name.length > 255
          ? "keyLength"
          : others.some((other) => other.key === name)
            ? "keyTaken"
            : null;
  return { key: fault, value: value.trim() === "" ? "valueMissing" : null };
}

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
