import { flowFilterOperators, flowLimits, type FlowBlock } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import {
  Field,
  FieldError,
  FieldHelp,
  FieldLabel,
  Textarea,
} from "../../../components/ui/field.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { isUnary } from "../state/blocks.ts";
import { ConfigNumber, ConfigText, ResultFields, useBlock } from "./block-fields.tsx";

export function ConditionForm({ step }: { step: FlowBlock<"carrel-condition"> }) {
  const { t } = useTranslation("flows");
  const { set } = useBlock(step);
  const { operator } = step.config;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_160px_minmax(0,1fr)] items-start gap-3 max-lg:grid-cols-1">
      <ConfigText step={step} field="left" label={t("field.left")} help={t("field.leftHelp")} />
      <SelectField
        label={t("field.operator")}
        value={operator}
        onChange={(next) => set({ operator: next as typeof operator })}
      >
        {flowFilterOperators.map((each) => (
          <option key={each} value={each}>
            {t(`operator.${each}`)}
          </option>
        ))}
      </SelectField>
      {!isUnary(operator) && <ConfigText step={step} field="right" label={t("field.right")} />}
    </div>
  );
}

export function LoopForm({ step }: { step: FlowBlock<"carrel-loop"> }) {
  const { t } = useTranslation("flows");
  const { set, problemOf } = useBlock(step);
  return (
    <>
      <ConfigText step={step} field="list" label={t("field.list")} help={t("field.listHelp")} />
      <div className="grid grid-cols-2 items-start gap-3 max-md:grid-cols-1">
        <TextField
          label={t("field.itemVariable")}
          help={t("field.itemVariableHelp")}
          problem={problemOf("itemVariable")}
          value={step.config.itemVariable}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => set({ itemVariable: target.value }, "itemVariable")}
        />
        <ConfigNumber
          step={step}
          field="maxItems"
          label={t("field.maxItems")}
          help={t("field.maxItemsHelp", { max: flowLimits.rounds })}
          max={flowLimits.rounds}
        />
      </div>
      <ResultFields step={step} />
    </>
  );
}

export function SearchForm({ step }: { step: FlowBlock<"carrel-search"> }) {
  const { t } = useTranslation("flows");
  return (
    <>
      <ConfigText
        step={step}
        field="query"
        label={t("field.query")}
        help={t("field.queryHelp")}
        lines={2}
      />
      <ConfigNumber
        step={step}
        field="limit"
        label={t("field.limit")}
        help={t("field.limitHelp")}
        max={50}
      />
      <ResultFields step={step} />
    </>
  );
}

export function CodeForm({ step }: { step: FlowBlock<"carrel-code"> }) {
  const { t } = useTranslation("flows");
  const { set, problemOf } = useBlock(step);
  const problem = problemOf("code");
  const id = `${step.id}-code`;
  return (
    <>
      <Field>
        <FieldLabel htmlFor={id}>{t("field.code")}</FieldLabel>
        <Textarea
          id={id}
          rows={6}
          className="font-mono text-xs/5"
          dir="ltr"
          spellCheck={false}
          invalid={problem !== null}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-note`}
          placeholder="return variables.rows.length;"
          value={step.config.code}
          onChange={({ target }) => set({ code: target.value }, "code")}
        />
        {problem === null ? (
          <FieldHelp id={`${id}-note`}>{t("field.codeHelp")}</FieldHelp>
        ) : (
          <FieldError id={`${id}-note`}>{problem}</FieldError>
        )}
      </Field>
      <ResultFields step={step} />
    </>
  );
}

export function ApprovalForm({ step }: { step: FlowBlock<"carrel-approval"> }) {
  const { t } = useTranslation("flows");
  return (
    <>
      <ConfigText
        step={step}
        field="question"
        label={t("field.question")}
        help={t("field.questionHelp")}
      />
      <ConfigText
        step={step}
        field="details"
        label={t("field.details")}
        help={t("field.detailsHelp")}
        lines={3}
      />
    </>
  );
}
