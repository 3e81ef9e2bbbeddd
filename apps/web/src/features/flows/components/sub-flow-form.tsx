import type { FlowBlock, FlowVariable } from "@carrel/contracts";
import { checkFlowInput } from "@carrel/contracts/flow-variable";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import { Field, FieldError, FieldHelp } from "../../../components/ui/field.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { flowVariablesQuery } from "../api/flows.ts";
import { PairRows, ResultFields, useBlock } from "./block-fields.tsx";
import { useScope } from "./builder-context.ts";
import { VariableText } from "./variable-text.tsx";

/** Another flow to run, with a value for each of its variables. */
export function SubFlowForm({ step }: { step: FlowBlock<"carrel-flow"> }) {
  const { t } = useTranslation("flows");
  const { builder, flows } = useScope();
  const { set, problemOf, variables: offered } = useBlock(step);
  const { flowId, inputs } = step.config;
  const others = flows.filter(({ id }) => id !== builder.flowId);
  const isThere = others.some(({ id }) => id === flowId);
  const { data: variables } = useQuery({ ...flowVariablesQuery(flowId), enabled: isThere });
  const problem = problemOf("flowId");
  return (
    <>
      <Field>
        <SelectField
          label={t("field.flowId")}
          value={flowId}
          onChange={(next) => set({ flowId: next })}
        >
          <option value="">{t("field.chooseFlow")}</option>
          {flowId !== "" && !isThere && <option value={flowId}>{t("field.goneFlow")}</option>}
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        {problem !== null && <FieldError>{problem}</FieldError>}
      </Field>
      {variables ? (
        <SubFlowInputs step={step} variables={variables} />
      ) : (
        inputs.length > 0 && (
          <PairRows
            label={t("field.inputs")}
            nameKey="name"
            nameLabel={t("field.key")}
            rows={inputs}
            empty={{ name: "", value: "" }}
            problem={problemOf("inputs")}
            variables={offered}
            onChange={(rows, tag) => set({ inputs: rows }, tag && `inputs.${tag}`)}
          />
        )
      )}
      <ResultFields step={step} />
    </>
  );
}

function SubFlowInputs({
  step,
  variables,
}: {
  step: FlowBlock<"carrel-flow">;
  variables: readonly FlowVariable[];
}) {
  const { t } = useTranslation("flows");
  const { set, problemOf, variables: offered } = useBlock(step);
  const { inputs } = step.config;
  const problem = problemOf("inputs");
  const unknown = inputs.filter(({ name }) => variables.every((each) => each.name !== name.trim()));
  const valueOf = (name: string): string =>
    inputs.find((each) => each.name.trim() === name)?.value ?? "";
  const change = (name: string, value: string): void => {
    const others = inputs.filter((each) => each.name.trim() !== name);
    // Without a value, the default applies.
    set({ inputs: value === "" ? others : [...others, { name, value }] }, `inputs.${name}`);
  };
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-1.5 font-medium">{t("field.inputs")}</legend>
      {variables.length === 0 && <FieldHelp>{t("field.noInputs")}</FieldHelp>}
      {variables.map((variable) => {
        const { name, value, description, valueType = "text" } = variable;
        const given = valueOf(name);
        const isMissing =
          checkFlowInput(variable, given === "" ? value : given) === "flow.input-missing";
        return (
          <VariableText
            key={name}
            {...offered}
            label={name}
            help={[
              `${t(`field.valueType.${valueType}`)}.`,
              description,
              value !== "" && t("field.defaultIs", { value }),
            ]
              .filter(Boolean)
              .join(" ")}
            problem={isMissing ? t("input.missing") : null}
            value={given}
            onChange={(text) => change(name, text)}
          />
        );
      })}
      {unknown.map(({ name, value }) => (
        <div key={name} className="flex items-center gap-2">
          <p className="min-w-0 flex-1 text-xs text-warning wrap-anywhere">
            {t("field.unknownInput", { name, value })}
          </p>
          <IconButton
            className="max-md:size-10"
            label={t("field.removeInput", { name })}
            onClick={() => set({ inputs: inputs.filter((each) => each.name !== name) })}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {problem !== null && <FieldError>{problem}</FieldError>}
    </fieldset>
  );
}
