import type { FlowStep } from "@carrel/contracts";
import { Plus, X } from "lucide-react";
import { useMemo, type ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { resultOf } from "../state/blocks.ts";
import type { Offered } from "../state/paths.ts";
import type { Problem } from "../state/problems.ts";
import { variablesBefore } from "../state/variables.ts";
import { problemsAt, useScope } from "./builder-context.ts";
import { useProblemText } from "./problem-list.tsx";
import { VariableText } from "./variable-text.tsx";

/** Changes of a block's settings, and what its fields offer and lack. */
export function useBlock<Step extends FlowStep>(step: Step) {
  const { builder, credentials } = useScope();
  const textOf = useProblemText();
  const id = step.id ?? "";
  const { steps } = builder.content;
  const known = useMemo(() => variablesBefore(steps, id), [steps, id]);
  const problems = problemsAt(builder.problems, id);
  const set = (config: Partial<Step["config"]>, tag: string | null = null): void =>
    builder.updateBlock(
      id,
      (before) => ({ ...before, config: { ...before.config, ...config } }) as FlowStep,
      tag === null ? null : `${id}.${tag}`,
    );
  const problemOf = (field: string, fits: (problem: Problem) => boolean = () => true) => {
    const found = problems.find((problem) => problem.field === field && fits(problem));
    return found ? textOf(found) : null;
  };
  return {
    set,
    problemOf,
    /** What a text with variables needs. */
    variables: {
      known,
      values: builder.lastRun?.variables ?? {},
      credentials: step.type === "apiCall" ? credentials : null,
    },
  };
}

/** One of a block's texts, in which variables are filled in. */
export function ConfigText<Step extends FlowStep>({
  step,
  field,
  label,
  help,
  ...rest
}: {
  step: Step;
  field: string & keyof Step["config"];
  label: string;
  help?: string;
  lines?: number;
  mono?: boolean;
  placeholder?: string;
}) {
  const { set, problemOf, variables } = useBlock(step);
  const config = step.config as Record<string, unknown>;
  return (
    <VariableText
      {...rest}
      {...variables}
      label={label}
      help={help}
      problem={problemOf(field)}
      value={String(config[field] ?? "")}
      onChange={(text) => set({ [field]: text } as Partial<Step["config"]>, field)}
    />
  );
}

/** A whole number. What isn't one is left as it was. */
export function ConfigNumber<Step extends FlowStep>({
  step,
  field,
  label,
  help,
  max,
}: {
  step: Step;
  field: string & keyof Step["config"];
  label: string;
  help: string;
  max: number;
}) {
  const { set } = useBlock(step);
  const config = step.config as Record<string, unknown>;
  return (
    <TextField
      label={label}
      help={help}
      type="number"
      min={1}
      max={max}
      className="max-w-40"
      value={String(config[field] ?? "")}
      onChange={({ target }) => {
        const number = Math.trunc(Number(target.value));
        if (number >= 1 && number <= max)
          set({ [field]: number } as Partial<Step["config"]>, field);
      }}
    />
  );
}

/** Where a block's result goes. */
export function ResultFields({ step }: { step: FlowStep }) {
  const { t } = useTranslation("flows");
  const { set, problemOf } = useBlock(step);
  const field = step.type === "apiCall" ? "responseVariable" : "resultVariable";
  const config = step.config as Record<string, unknown>;
  return (
    <>
      <TextField
        label={t("field.result")}
        help={t("field.resultHelp")}
        problem={problemOf(field)}
        className="max-w-80 max-md:max-w-none"
        value={String(config[field] ?? resultOf(step))}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => set({ [field]: target.value } as never, field)}
      />
      {"directOutput" in config && (
        <SwitchLine
          label={t("field.direct")}
          help={t("field.directHelp")}
          on={config.directOutput === true}
          onChange={(on) => set({ directOutput: on } as never)}
        />
      )}
    </>
  );
}

const pairColumns = "grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_28px] gap-2";

/** A list of names with values. */
export function PairRows<Row extends Record<"value", string>, Name extends string & keyof Row>({
  label,
  nameKey,
  nameLabel,
  rows,
  empty,
  problem,
  variables,
  onChange,
}: {
  label: string;
  nameKey: Name;
  nameLabel: string;
  rows: readonly Row[];
  /** A new row. */
  empty: Row;
  problem: string | null;
  variables: Offered & Pick<ComponentProps<typeof VariableText>, "credentials">;
  onChange: (rows: Row[], tag: string | null) => void;
}) {
  const { t } = useTranslation("flows");
  const set = (index: number, key: string, text: string): void =>
    onChange(
      rows.map((row, at) => (at === index ? { ...row, [key]: text } : row)),
      `${index}.${key}`,
    );
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      {rows.length > 0 && (
        <div className={`${pairColumns} text-xs text-fg-2 max-md:hidden`} aria-hidden="true">
          <span>{nameLabel}</span>
          <span>{t("field.value")}</span>
        </div>
      )}
      {rows.map((row, index) => {
        const name = t("field.row", { list: label, number: index + 1 });
        return (
          <div
            key={index}
            className={`${pairColumns} items-start max-md:grid-cols-[minmax(0,1fr)_40px]`}
          >
            <VariableText
              {...variables}
              credentials={null}
              label={`${name}: ${nameLabel}`}
              hidesLabel
              placeholder={nameLabel}
              value={String(row[nameKey])}
              onChange={(text) => set(index, nameKey, text)}
            />
            <div className="max-md:col-start-1 max-md:row-start-2">
              <VariableText
                {...variables}
                label={`${name}: ${t("field.value")}`}
                hidesLabel
                placeholder={t("field.value")}
                value={row.value}
                onChange={(text) => set(index, "value", text)}
              />
            </div>
            <IconButton
              className="mt-1 max-md:size-10"
              label={t("field.removeRow", { number: index + 1 })}
              onClick={() => onChange(rows.toSpliced(index, 1), null)}
            >
              <X />
            </IconButton>
          </div>
        );
      })}
      {problem !== null && <p className="text-xs text-danger">{problem}</p>}
      <Button
        size="sm"
        variant="quiet"
        className="justify-self-start"
        onClick={() => onChange([...rows, { ...empty }], null)}
      >
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        {t("field.addRow")}
      </Button>
    </fieldset>
  );
}
