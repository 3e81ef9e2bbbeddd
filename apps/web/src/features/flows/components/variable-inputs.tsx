import type { FlowVariable } from "@carrel/contracts";
import { checkFlowInput } from "@carrel/contracts/flow-variable";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Input,
  Select,
  Textarea,
} from "../../../components/ui/field.tsx";

export type Inputs = ReturnType<typeof useInputs>;

/** The values for a flow's variables, which start with their defaults. */
export function useInputs(
  all: readonly FlowVariable[],
  initial: Readonly<Record<string, string>> = {},
) {
  const [typed, setTyped] = useState(initial);
  const [showsProblems, setShowsProblems] = useState(false);
  const variables = all
    .filter(({ name }) => name.trim() !== "")
    .map((variable) => ({ ...variable, name: variable.name.trim() }));
  const textOf = ({ name, value }: FlowVariable): string => typed[name] ?? value;
  return {
    variables,
    showsProblems,
    textOf,
    change: (name: string, text: string): void => setTyped({ ...typed, [name]: text }),
    /** The values, or null after showing what is wrong with them. */
    read: (): Record<string, string> | null => {
      const isFine = variables.every((each) => checkFlowInput(each, textOf(each)) === null);
      setShowsProblems(!isFine);
      return isFine ? Object.fromEntries(variables.map((each) => [each.name, textOf(each)])) : null;
    },
  };
}

const faultTexts = {
  "flow.input-missing": "input.missing",
  "flow.input-not-number": "input.notNumber",
  "flow.input-not-boolean": "input.notBoolean",
  "flow.input-not-list": "input.notList",
  "flow.input-not-json": "input.notJson",
} as const;

/** A field for each of a flow's variables, as its type needs it. */
export function VariableInputs({ inputs }: { inputs: Inputs }) {
  return inputs.variables.map((variable, index) => (
    <VariableInput key={index} variable={variable} inputs={inputs} />
  ));
}

function VariableInput({ variable, inputs }: { variable: FlowVariable; inputs: Inputs }) {
  const { t } = useTranslation("flows");
  const id = useId();
  const { name, description, valueType = "text", required = false } = variable;
  const value = inputs.textOf(variable);
  const fault = inputs.showsProblems ? checkFlowInput(variable, value) : null;
  const hint =
    valueType === "list" ? t("input.listHint") : valueType === "json" ? t("input.jsonHint") : "";
  const help = [description, hint].filter(Boolean).join(" ");
  const field = {
    id,
    value,
    invalid: fault !== null,
    "aria-invalid": fault !== null || undefined,
    "aria-required": required || undefined,
    "aria-describedby": fault !== null || help !== "" ? `${id}-note` : undefined,
    onChange: ({ target }: { target: { value: string } }) => inputs.change(name, target.value),
  };
  return (
    <Field>
      <FieldLabel htmlFor={id}>
        <span className="wrap-anywhere">{name}</span>
        <span className="font-normal text-fg-3">
          {t(required ? "field.required" : "input.optional")}
        </span>
      </FieldLabel>
      <ValueField type={valueType} field={field} canBeEmpty={!required} />
      {fault !== null ? (
        <FieldError id={`${id}-note`} role="alert">
          {t(faultTexts[fault])}
        </FieldError>
      ) : (
        help !== "" && <FieldHelp id={`${id}-note`}>{help}</FieldHelp>
      )}
    </Field>
  );
}

/** A control for a value of a type. */
export function ValueField({
  type,
  field,
  canBeEmpty = true,
}: {
  type: NonNullable<FlowVariable["valueType"]>;
  field: {
    value: string;
    onChange: (event: { target: { value: string } }) => void;
    invalid?: boolean;
    placeholder?: string;
  };
  canBeEmpty?: boolean;
}) {
  const { t } = useTranslation("flows");
  if (type === "boolean")
    return (
      <Select {...field}>
        {(canBeEmpty || field.value === "") && <option value="">{t("input.unset")}</option>}
        <option value="true">{t("input.yes")}</option>
        <option value="false">{t("input.no")}</option>
      </Select>
    );
  if (type === "list" || type === "json")
    return (
      <Textarea
        {...field}
        rows={3}
        className={type === "json" ? "font-mono text-xs/5" : undefined}
        spellCheck={false}
        dir={type === "json" ? "ltr" : "auto"}
      />
    );
  return (
    <Input
      {...field}
      autoComplete="off"
      dir="auto"
      {...(type === "number" && { inputMode: "decimal" as const, dir: "ltr" })}
    />
  );
}
