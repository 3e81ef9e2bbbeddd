import { flowMethods, type FlowBlock, type FlowStep } from "@carrel/contracts";
import { Plus, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { Field, FieldError, FieldHelp, Input } from "../../../components/ui/field.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { ConfigText, PairRows, ResultFields, useBlock } from "./block-fields.tsx";
import {
  ApprovalForm,
  CodeForm,
  ConditionForm,
  LoopForm,
  SearchForm,
  SubFlowForm,
} from "./own-block-forms.tsx";
import { TransformForm } from "./transform-form.tsx";

/** The settings of one block. */
export function BlockForm({ step }: { step: FlowStep }) {
  switch (step.type) {
    case "start":
      return <StartForm step={step} />;
    case "apiCall":
      return <ApiCallForm step={step} />;
    case "llmInstruction":
      return <InstructionForm step={step} />;
    case "webScraping":
      return <ScrapingForm step={step} />;
    case "carrel-condition":
      return <ConditionForm step={step} />;
    case "carrel-loop":
      return <LoopForm step={step} />;
    case "carrel-search":
      return <SearchForm step={step} />;
    case "carrel-code":
      return <CodeForm step={step} />;
    case "carrel-transform":
      return <TransformForm step={step} />;
    case "carrel-approval":
      return <ApprovalForm step={step} />;
    case "carrel-flow":
      return <SubFlowForm step={step} />;
  }
}

const startColumns = "grid grid-cols-[minmax(0,3fr)_minmax(0,3fr)_minmax(0,4fr)_28px] gap-2";

function StartForm({ step }: { step: FlowBlock<"start"> }) {
  const { t } = useTranslation("flows");
  const { set, problemOf } = useBlock(step);
  const { variables } = step.config;
  const problem = problemOf("variables");
  const change = (index: number, key: "name" | "value" | "description", text: string): void =>
    set(
      { variables: variables.map((row, at) => (at === index ? { ...row, [key]: text } : row)) },
      `${index}.${key}`,
    );
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1 font-medium">{t("field.variables")}</legend>
      <FieldHelp className="mb-1">{t("field.variablesHelp")}</FieldHelp>
      {variables.length > 0 && (
        <div className={`${startColumns} text-xs text-fg-2 max-md:hidden`} aria-hidden="true">
          <span>{t("field.key")}</span>
          <span>{t("field.default")}</span>
          <span>{t("field.variableDescription")}</span>
        </div>
      )}
      {variables.map((row, index) => (
        <div
          key={index}
          className={`${startColumns} items-center max-md:grid-cols-[minmax(0,1fr)_40px] max-md:not-last:mb-2`}
        >
          {(
            [
              ["name", t("field.key")],
              ["value", t("field.default")],
              ["description", t("field.variableDescription")],
            ] as const
          ).map(([key, label]) => (
            <Input
              key={key}
              className="max-md:col-start-1"
              aria-label={`${t("field.row", { list: t("field.variables"), number: index + 1 })}: ${label}`}
              placeholder={label}
              autoComplete="off"
              spellCheck={key === "description"}
              value={row[key]}
              onChange={({ target }) => change(index, key, target.value)}
            />
          ))}
          <IconButton
            className="max-md:col-start-2 max-md:row-start-1 max-md:size-10"
            label={t("field.removeRow", { number: index + 1 })}
            onClick={() => set({ variables: variables.toSpliced(index, 1) })}
          >
            <X />
          </IconButton>
        </div>
      ))}
      {problem !== null && <FieldError>{problem}</FieldError>}
      <Button
        size="sm"
        variant="quiet"
        className="justify-self-start"
        onClick={() => set({ variables: [...variables, { name: "", value: "", description: "" }] })}
      >
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        {t("field.addVariable")}
      </Button>
    </fieldset>
  );
}

function ApiCallForm({ step }: { step: FlowBlock<"apiCall"> }) {
  const { t } = useTranslation("flows");
  const { set, problemOf, variables } = useBlock(step);
  const { method, headers, bodyType, formData } = step.config;
  const pair = { key: "", value: "" };
  return (
    <>
      <div className="grid grid-cols-[120px_minmax(0,1fr)] items-start gap-3 max-md:grid-cols-1">
        <SelectField
          label={t("field.method")}
          value={method}
          onChange={(next) => set({ method: next as typeof method })}
        >
          {flowMethods.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
        <ConfigText step={step} field="url" label={t("field.url")} help={t("field.urlHelp")} />
      </div>
      <PairRows
        label={t("field.headers")}
        nameKey="key"
        nameLabel={t("field.key")}
        rows={headers}
        empty={pair}
        problem={problemOf("headers")}
        variables={variables}
        onChange={(rows, tag) => set({ headers: rows }, tag && `headers.${tag}`)}
      />
      {method !== "GET" && (
        <>
          <Field>
            <span className="font-medium">{t("field.bodyType")}</span>
            <div>
              <Segmented
                label={t("field.bodyType")}
                value={bodyType}
                options={[
                  { value: "json", label: t("field.bodyJson") },
                  { value: "text", label: t("field.bodyText") },
                  { value: "form", label: t("field.bodyForm") },
                ]}
                onChange={(next) => set({ bodyType: next })}
              />
            </div>
          </Field>
          {bodyType === "form" ? (
            <PairRows
              label={t("field.formData")}
              nameKey="key"
              nameLabel={t("field.key")}
              rows={formData}
              empty={pair}
              problem={problemOf("formData")}
              variables={variables}
              onChange={(rows, tag) => set({ formData: rows }, tag && `formData.${tag}`)}
            />
          ) : (
            <ConfigText
              step={step}
              field="body"
              label={t("field.body")}
              lines={5}
              mono={bodyType === "json"}
            />
          )}
        </>
      )}
      <ResultFields step={step} />
    </>
  );
}

function InstructionForm({ step }: { step: FlowBlock<"llmInstruction"> }) {
  const { t } = useTranslation("flows");
  return (
    <>
      <ConfigText
        step={step}
        field="instruction"
        label={t("field.instruction")}
        help={t("field.instructionHelp")}
        lines={4}
      />
      <ResultFields step={step} />
    </>
  );
}

function ScrapingForm({ step }: { step: FlowBlock<"webScraping"> }) {
  const { t } = useTranslation("flows");
  const { set } = useBlock(step);
  const { captureAs, enableSummarization } = step.config;
  return (
    <>
      <ConfigText step={step} field="url" label={t("field.url")} help={t("field.urlHelp")} />
      <SelectField
        label={t("field.captureAs")}
        value={captureAs}
        onChange={(next) => set({ captureAs: next as typeof captureAs })}
      >
        <option value="text">{t("field.captureText")}</option>
        <option value="html">{t("field.captureHtml")}</option>
        <option value="querySelector">{t("field.captureSelector")}</option>
      </SelectField>
      {captureAs === "querySelector" && (
        <ConfigText step={step} field="querySelector" label={t("field.querySelector")} mono />
      )}
      <SwitchLine
        label={t("field.summarize")}
        help={t("field.summarizeHelp")}
        on={enableSummarization !== false}
        onChange={(on) => set({ enableSummarization: on })}
      />
      <ResultFields step={step} />
    </>
  );
}
