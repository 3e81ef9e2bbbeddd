import { flowFilterOperators, type FlowBlock, type FlowTransform } from "@carrel/contracts";
import { ArrowUp, Plus, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FieldError, Select } from "../../../components/ui/field.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { isUnary, newTransform, transformKinds } from "../state/blocks.ts";
import type { Offered } from "../state/paths.ts";
import { ConfigText, ResultFields, useBlock } from "./block-fields.tsx";
import { VariableText } from "./variable-text.tsx";

/** Data and what is done with it, one operation after another. */
export function TransformForm({ step }: { step: FlowBlock<"carrel-transform"> }) {
  const { t } = useTranslation("flows");
  const { set, problemOf, variables } = useBlock(step);
  const { operations } = step.config;
  const problem = problemOf("operations");
  const change = (index: number, next: FlowTransform, tag: string | null): void =>
    set(
      { operations: operations.map((each, at) => (at === index ? next : each)) },
      tag && `operations.${index}.${tag}`,
    );
  return (
    <>
      <ConfigText step={step} field="input" label={t("field.input")} help={t("field.inputHelp")} />
      <fieldset className="grid min-w-0 grid-cols-1 gap-3">
        <legend className="mb-1.5 font-medium">{t("field.operations")}</legend>
        {operations.map((operation, index) => (
          <div
            key={index}
            className="grid grid-cols-1 gap-3 border-s-2 border-line ps-3"
            role="group"
            aria-label={t("field.operation", { number: index + 1 })}
          >
            <div className="flex items-center gap-1">
              <Select
                className="me-auto max-w-60"
                aria-label={t("field.operation", { number: index + 1 })}
                value={operation.kind}
                onChange={({ target }) =>
                  change(index, newTransform(target.value as FlowTransform["kind"]), null)
                }
              >
                {transformKinds.map((kind) => (
                  <option key={kind} value={kind}>
                    {t(`transform.${kind}`)}
                  </option>
                ))}
              </Select>
              <IconButton
                className="max-md:size-10"
                label={t("field.moveOperationUp", { number: index + 1 })}
                disabled={index === 0}
                onClick={() =>
                  set({
                    operations: operations.toSpliced(index, 1).toSpliced(index - 1, 0, operation),
                  })
                }
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                className="max-md:size-10"
                label={t("field.removeOperation", { number: index + 1 })}
                onClick={() => set({ operations: operations.toSpliced(index, 1) })}
              >
                <X />
              </IconButton>
            </div>
            <OperationFields
              operation={operation}
              variables={variables}
              onChange={(next, tag) => change(index, next, tag)}
            />
          </div>
        ))}
        {problem !== null && <FieldError>{problem}</FieldError>}
        <Button
          size="sm"
          variant="quiet"
          className="justify-self-start"
          onClick={() => set({ operations: [...operations, newTransform("pick")] })}
        >
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("field.addOperation")}
        </Button>
      </fieldset>
      <ResultFields step={step} />
    </>
  );
}

function OperationFields({
  operation,
  variables,
  onChange,
}: {
  operation: FlowTransform;
  variables: Offered;
  onChange: (operation: FlowTransform, tag: string | null) => void;
}) {
  const { t } = useTranslation("flows");
  switch (operation.kind) {
    case "pick":
      return (
        <VariableText
          {...variables}
          label={t("field.path")}
          placeholder="items[0].name"
          mono
          value={operation.path}
          onChange={(path) => onChange({ ...operation, path }, "path")}
        />
      );
    case "csv":
      return (
        <SelectField
          label={t("field.delimiter")}
          value={operation.delimiter}
          onChange={(delimiter) =>
            onChange({ ...operation, delimiter: delimiter as typeof operation.delimiter }, null)
          }
        >
          <option value="auto">{t("field.delimiterAuto")}</option>
          <option value=",">{t("field.delimiterComma")}</option>
          <option value=";">{t("field.delimiterSemicolon")}</option>
          <option value={"\t"}>{t("field.delimiterTab")}</option>
        </SelectField>
      );
    case "filter":
      return (
        <div className="grid grid-cols-[minmax(0,1fr)_160px_minmax(0,1fr)] items-start gap-3 max-lg:grid-cols-1">
          <VariableText
            {...variables}
            label={t("field.column")}
            value={operation.column}
            onChange={(column) => onChange({ ...operation, column }, "column")}
          />
          <SelectField
            label={t("field.operator")}
            value={operation.operator}
            onChange={(next) =>
              onChange({ ...operation, operator: next as typeof operation.operator }, null)
            }
          >
            {flowFilterOperators.map((each) => (
              <option key={each} value={each}>
                {t(`operator.${each}`)}
              </option>
            ))}
          </SelectField>
          {!isUnary(operation.operator) && (
            <VariableText
              {...variables}
              label={t("field.value")}
              value={operation.value}
              onChange={(value) => onChange({ ...operation, value }, "value")}
            />
          )}
        </div>
      );
    case "sort":
      return (
        <>
          <VariableText
            {...variables}
            label={t("field.column")}
            value={operation.column}
            onChange={(column) => onChange({ ...operation, column }, "column")}
          />
          <SwitchLine
            label={t("field.descending")}
            on={operation.descending}
            onChange={(descending) => onChange({ ...operation, descending }, null)}
          />
        </>
      );
    case "columns":
      return (
        <TextField
          label={t("field.columns")}
          autoComplete="off"
          value={operation.names.join(",")}
          onChange={({ target }) =>
            onChange(
              { ...operation, names: target.value === "" ? [] : target.value.split(",") },
              "names",
            )
          }
          onBlur={() =>
            onChange(
              { ...operation, names: operation.names.map((name) => name.trim()).filter(Boolean) },
              "names",
            )
          }
        />
      );
    case "limit":
      return (
        <TextField
          label={t("field.count")}
          className="max-w-40"
          type="number"
          min={0}
          max={1_000_000}
          value={String(operation.count)}
          onChange={({ target }) => {
            const count = Math.trunc(Number(target.value));
            if (count >= 0 && count <= 1_000_000) onChange({ ...operation, count }, "count");
          }}
        />
      );
    case "format":
      return (
        <SelectField
          label={t("field.as")}
          value={operation.as}
          onChange={(next) => onChange({ ...operation, as: next as typeof operation.as }, null)}
        >
          {(["json", "csv", "markdown"] as const).map((each) => (
            <option key={each} value={each}>
              {t(`format.${each}`)}
            </option>
          ))}
        </SelectField>
      );
  }
}
