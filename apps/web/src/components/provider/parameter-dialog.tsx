import {
  reasoningEfforts,
  type AnswerParameterState,
  type ReasoningEffort,
  type ThreadParameters,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  parametersQuery,
  useSaveParameters,
  type ParameterOwner,
} from "../../lib/answer-parameters.ts";
import { toast, undoing } from "../../lib/toast.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { Field, FieldHelp, FieldLabel, Textarea } from "../ui/field.tsx";
import { FailedQuery, Notice } from "../ui/notice.tsx";
import { Skeleton } from "../ui/progress.tsx";
import { SelectField, TextField } from "../ui/text-field.tsx";

/** The form's fields, as typed. */
interface ParameterFields {
  systemPrompt: string;
  maxTokens: string;
  temperature: string;
  topP: string;
  effort: string;
}
type NumberField = "maxTokens" | "temperature" | "topP";

const limits: Record<NumberField, { min: number; max: number; whole?: true }> = {
  maxTokens: { min: 16, max: 1_000_000, whole: true },
  temperature: { min: 0, max: 2 },
  topP: { min: 0.01, max: 1 },
};

/** Undefined: nothing was typed; NaN: not a number. Accepts decimal commas. */
const parse = (typed: string): number | undefined =>
  typed.trim() === "" ? undefined : Number(typed.trim().replace(",", "."));

export const fieldsOf = (saved: ThreadParameters): ParameterFields => ({
  systemPrompt: saved.systemPrompt ?? "",
  maxTokens: String(saved.maxTokens ?? ""),
  temperature: String(saved.temperature ?? ""),
  topP: String(saved.topP ?? ""),
  effort: saved.effort ?? "",
});

export function isInvalid(name: NumberField, typed: string): boolean {
  const value = parse(typed);
  const { min, max, whole } = limits[name];
  return (
    value !== undefined &&
    !(value >= min && value <= max && (whole === undefined || Number.isInteger(value)))
  );
}

const isEffort = (value: string): value is ReasoningEffort =>
  (reasoningEfforts as readonly string[]).includes(value);

export const parametersOf = (fields: ParameterFields): ThreadParameters => ({
  systemPrompt: fields.systemPrompt.trim() || null,
  maxTokens: parse(fields.maxTokens) ?? null,
  temperature: parse(fields.temperature) ?? null,
  topP: parse(fields.topP) ?? null,
  effort: isEffort(fields.effort) ? fields.effort : null,
});

const numbers: readonly NumberField[] = ["maxTokens", "temperature", "topP"];

/** How answers of a workspace or thread are written; shows only what can be set for the model. */
export default function ParameterDialog({
  owner,
  onClose,
}: {
  owner: ParameterOwner;
  onClose: () => void;
}) {
  const { t } = useTranslation("parameters");
  const { data, error, refetch } = useQuery(parametersQuery(owner));
  const isThread = "thread" in owner;
  const help = isThread ? "threadHelp" : "workspaceHelp";
  const isUnsupported = data && !(isThread ? data.supports : data.workspaceSupports).maxTokens;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t("label")}
      description={isUnsupported ? t("unsupported") : t(help)}
    >
      {data ? (
        <ParameterForm owner={owner} state={data} onClose={onClose} />
      ) : error ? (
        <FailedQuery
          title={t("loadFailed")}
          retryLabel={t("retry")}
          error={error}
          retry={() => void refetch()}
        />
      ) : (
        <Skeleton className="h-40" />
      )}
    </Dialog>
  );
}

function ParameterForm({
  owner,
  state,
  onClose,
}: {
  owner: ParameterOwner;
  state: AnswerParameterState;
  onClose: () => void;
}) {
  const { t } = useTranslation(["parameters", "common"]);
  const promptId = useId();
  const isThread = "thread" in owner;
  const { workspace } = state;
  const supports = isThread ? state.supports : state.workspaceSupports;
  const saved = isThread ? state.thread : { ...workspace, temperature: null };
  const [fields, setFields] = useState(() => fieldsOf(saved));
  const save = useSaveParameters(owner);
  // A workspace's prompt and temperature are on its page.
  const shown = numbers.filter((name) => supports[name] && (isThread || name !== "temperature"));
  const isFaulty = shown.some((name) => isInvalid(name, fields[name]));
  const isEmpty = Object.values(fields).every((value) => value === "");
  const set = (part: Partial<typeof fields>): void => {
    setFields({ ...fields, ...part });
    save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation(); // in React's tree the dialog is inside another form
    if (save.isPending || isFaulty) return;
    save.mutate(parametersOf(fields), {
      onSuccess: () => {
        toast.success(
          t(isThread ? "savedThread" : "savedWorkspace"),
          undoing(() => save.mutateAsync(saved)),
        );
        onClose();
      },
    });
  };
  const efforts = { low: t("effortLow"), medium: t("effortMedium"), high: t("effortHigh") };
  const inherited = isThread ? workspace.effort : null;
  return (
    <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
      {isThread && supports.systemPrompt && (
        <Field>
          <FieldLabel htmlFor={promptId}>{t("prompt")}</FieldLabel>
          <Textarea
            id={promptId}
            dir="auto"
            rows={4}
            maxLength={100_000}
            placeholder={t("promptPlaceholder")}
            aria-describedby={`${promptId}-note`}
            value={fields.systemPrompt}
            onChange={(event) => set({ systemPrompt: event.target.value })}
          />
          <FieldHelp id={`${promptId}-note`}>{t("promptHelp")}</FieldHelp>
        </Field>
      )}
      {shown.map((name) => (
        <TextField
          key={name}
          label={t(name)}
          className="max-w-[200px] max-md:max-w-none"
          inputMode={name === "maxTokens" ? "numeric" : "decimal"}
          autoComplete="off"
          placeholder={String((isThread ? workspace[name] : null) ?? t("modelDefault"))}
          value={fields[name]}
          help={t(`${name}Help`)}
          problem={isInvalid(name, fields[name]) ? t(`${name}Fault`) : null}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      ))}
      {supports.effort && (
        <SelectField
          label={t("effort")}
          value={fields.effort}
          onChange={(effort) => set({ effort })}
        >
          <option value="">
            {inherited
              ? t("effortWorkspace", { effort: efforts[inherited].toLowerCase() })
              : t("effortModel")}
          </option>
          {reasoningEfforts.map((effort) => (
            <option key={effort} value={effort}>
              {efforts[effort]}
            </option>
          ))}
        </SelectField>
      )}
      {save.error && (
        <Notice kind="bad">
          <p>{t("failed", { message: save.error.message })}</p>
        </Notice>
      )}
      <DialogFooter>
        {supports.maxTokens && !isEmpty && (
          <Button variant="quiet" className="me-auto max-md:me-0" onClick={() => set(fieldsOf({}))}>
            {t(isThread ? "reset" : "resetWorkspace")}
          </Button>
        )}
        <Button onClick={onClose}>{t("common:cancel")}</Button>
        {supports.maxTokens && (
          <Button type="submit" variant="primary" disabled={save.isPending || isFaulty}>
            {t("save")}
          </Button>
        )}
      </DialogFooter>
    </form>
  );
}
