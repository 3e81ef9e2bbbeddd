import type { FlowBlock } from "@carrel/contracts";
import { Plus, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/choices.tsx";
import { FieldError, FieldHelp, Input, Select } from "../../../components/ui/field.tsx";
import { useBlock } from "./block-fields.tsx";
import { ValueField } from "./variable-inputs.tsx";

/** In the order in which they are offered. */
const types = ["text", "number", "boolean", "list", "json"] as const;
type Variable = FlowBlock<"start">["config"]["variables"][number];
const emptyVariable: Variable = { name: "", value: "", description: "" };

/** The variables of a flow, which are what a run needs to know. */
export function StartForm({ step }: { step: FlowBlock<"start"> }) {
  const { t } = useTranslation("flows");
  const { set, problemOf } = useBlock(step);
  const { variables } = step.config;
  const problem = problemOf("variables");
  const change = (index: number, next: Partial<Variable>, tag: string | null): void =>
    set(
      { variables: variables.map((row, at) => (at === index ? { ...row, ...next } : row)) },
      tag && `${index}.${tag}`,
    );
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-1 font-medium">{t("field.variables")}</legend>
      <FieldHelp>{t("field.variablesHelp")}</FieldHelp>
      {variables.map((row, index) => (
        <VariableRow
          key={index}
          row={row}
          number={index + 1}
          onChange={(next, tag) => change(index, next, tag)}
          onRemove={() => set({ variables: variables.toSpliced(index, 1) })}
        />
      ))}
      {problem !== null && <FieldError>{problem}</FieldError>}
      <Button
        size="sm"
        variant="quiet"
        className="justify-self-start"
        onClick={() => set({ variables: [...variables, emptyVariable] })}
      >
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        {t("field.addVariable")}
      </Button>
    </fieldset>
  );
}

function VariableRow({
  row,
  number,
  onChange,
  onRemove,
}: {
  row: Variable;
  number: number;
  onChange: (next: Partial<Variable>, tag: string | null) => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation("flows");
  const { name, value, description, valueType = "text", required = false } = row;
  const labelOf = (label: string) => ({
    "aria-label": `${t("field.row", { list: t("field.variables"), number })}: ${label}`,
    placeholder: label,
  });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_28px] items-start gap-2 border-s-2 border-line ps-3 max-md:grid-cols-[minmax(0,1fr)_40px]">
      <div className="grid grid-cols-[minmax(0,3fr)_120px_minmax(0,3fr)] items-start gap-2 max-md:grid-cols-[minmax(0,1fr)_110px]">
        <Input
          {...labelOf(t("field.key"))}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ target }) => onChange({ name: target.value }, "name")}
        />
        <Select
          aria-label={labelOf(t("field.type"))["aria-label"]}
          value={valueType}
          onChange={({ target }) =>
            onChange(
              // Existing clients' variables have no type.
              {
                valueType: target.value === "text" ? undefined : (target.value as typeof valueType),
              },
              null,
            )
          }
        >
          {types.map((type) => (
            <option key={type} value={type}>
              {t(`field.valueType.${type}`)}
            </option>
          ))}
        </Select>
        <div className="max-md:col-span-2">
          <ValueField
            type={valueType}
            field={{
              ...labelOf(t("field.default")),
              value,
              onChange: ({ target }) => onChange({ value: target.value }, "value"),
            }}
          />
        </div>
        <Input
          {...labelOf(t("field.variableDescription"))}
          className="col-span-2"
          autoComplete="off"
          value={description}
          onChange={({ target }) => onChange({ description: target.value }, "description")}
        />
        <label className="flex min-h-9 items-center gap-2 max-md:col-span-2 max-md:min-h-11">
          <Checkbox
            aria-label={labelOf(t("field.required"))["aria-label"]}
            checked={required}
            onChange={({ target }) => onChange({ required: target.checked || undefined }, null)}
          />
          {t("field.required")}
        </label>
      </div>
      <IconButton
        className="mt-1 max-md:size-10"
        label={t("field.removeRow", { number })}
        onClick={onRemove}
      >
        <X />
      </IconButton>
    </div>
  );
}
