import { flowMethods, type FlowBlock, type FlowStep } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { Field } from "../../../components/ui/field.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { SelectField } from "../../../components/ui/text-field.tsx";
import { ConfigText, PairRows, ResultFields, useBlock } from "./block-fields.tsx";
import { ApprovalForm, CodeForm, ConditionForm, LoopForm, SearchForm } from "./own-block-forms.tsx";
import { SecretHint } from "./secret-hint.tsx";
import { StartForm } from "./start-form.tsx";
import { SubFlowForm } from "./sub-flow-form.tsx";
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
      <SecretHint step={step} field="url" />
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
      <SecretHint step={step} field="headers" />
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
          <SecretHint step={step} field={bodyType === "form" ? "formData" : "body"} />
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
