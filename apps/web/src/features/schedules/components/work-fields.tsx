import { chatModes, scheduleKinds, type ChatMode, type ModelChoice } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { Field, FieldHelp, FieldLabel, Select, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { readyProvidersQuery } from "../../../lib/providers.ts";
import { sharedFlowsQuery, type SharedFlow } from "../../../lib/shared-flows.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { choosesModelQuery } from "../api/work.ts";
import { inputFault, type Content, type Field as FieldName } from "../state/content.ts";
import { FieldNote } from "./field-note.tsx";
import { kindIcons } from "./kind-icon.ts";

interface Props {
  content: Content;
  problemOf: (field: FieldName) => string | null;
  onChange: (change: Partial<Content>) => void;
}

/** What runs: a prompt, an agent's task or a flow, and in which workspace. */
export function WorkFields({ content, isNew, ...rest }: Props & { isNew: boolean }) {
  const { problemOf, onChange } = rest;
  const { t } = useTranslation("schedules");
  const id = useId();
  const workspaces = useQuery(workspacesQuery).data ?? [];
  const icons = kindIcons();
  const problem = problemOf("workspace");
  return (
    <div className="grid grid-cols-1 gap-4">
      <ChoiceCards
        name="schedule-kind"
        label={t("form.what")}
        value={content.kind}
        options={scheduleKinds.map((kind) => ({
          value: kind,
          label: t(`kind.${kind}`),
          text: t(`kindHelp.${kind}`),
          icon: icons[kind],
        }))}
        onChange={(kind) => onChange({ kind })}
      />
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <TextField
          label={t("form.name")}
          value={content.name}
          placeholder={t("form.nameHint")}
          maxLength={200}
          autoComplete="off"
          problem={problemOf("name")}
          onChange={(event) => onChange({ name: event.target.value })}
        />
        <Field>
          <FieldLabel htmlFor={id}>{t("form.workspace")}</FieldLabel>
          <Select
            id={id}
            value={content.workspace}
            disabled={!isNew}
            invalid={problem !== null}
            aria-invalid={problem !== null || undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => onChange({ workspace: event.target.value, model: null })}
          >
            {!workspaces.some(({ slug }) => slug === content.workspace) && (
              <option value={content.workspace}>
                {content.workspace || t(isNew ? "form.chooseWorkspace" : "workspaceGone")}
              </option>
            )}
            {workspaces.map(({ slug, name }) => (
              <option key={slug} value={slug}>
                {name}
              </option>
            ))}
          </Select>
          <FieldNote
            id={`${id}-note`}
            problem={problem}
            help={isNew ? undefined : t("form.workspaceFixed")}
          />
        </Field>
      </div>
      {content.kind === "flow" ? (
        <FlowFields content={content} {...rest} />
      ) : (
        <PromptFields content={content} {...rest} />
      )}
    </div>
  );
}

function PromptFields({ content, problemOf, onChange }: Props) {
  const { t } = useTranslation("schedules");
  const id = useId();
  const choosesModel = useQuery(choosesModelQuery(content.workspace)).data === true;
  const problem = problemOf("prompt");
  return (
    <>
      <Field>
        <FieldLabel htmlFor={id}>{t("form.prompt")}</FieldLabel>
        <Textarea
          id={id}
          className="field-sizing-content max-h-80 min-h-28"
          rows={5}
          dir="auto"
          value={content.prompt}
          placeholder={t(content.kind === "agent" ? "form.agentHint" : "form.promptHint")}
          invalid={problem !== null}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange({ prompt: event.target.value })}
        />
        <FieldNote id={`${id}-note`} problem={problem} help={t("form.promptHelp")} />
      </Field>
      {(content.kind === "prompt" || choosesModel) && (
        <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
          {content.kind === "prompt" && (
            <SelectField
              label={t("form.mode")}
              value={content.mode ?? ""}
              onChange={(mode) => onChange({ mode: mode === "" ? null : (mode as ChatMode) })}
            >
              <option value="">{t("form.modeOfWorkspace")}</option>
              {chatModes.map((mode) => (
                <option key={mode} value={mode}>
                  {t(`form.modes.${mode}`)}
                </option>
              ))}
            </SelectField>
          )}
          {choosesModel && (
            <ModelField
              slug={content.workspace}
              choice={content.model}
              onChange={(model) => onChange({ model })}
            />
          )}
        </div>
      )}
    </>
  );
}

const keyOf = ({ provider, model }: ModelChoice): string => JSON.stringify([provider, model]);

/** The workspace's model, or one of the configured providers. */
function ModelField({
  slug,
  choice,
  onChange,
}: {
  slug: string;
  choice: ModelChoice | null;
  onChange: (choice: ModelChoice | null) => void;
}) {
  const { t } = useTranslation("schedules");
  const providers = useQuery(readyProvidersQuery(slug)).data?.providers ?? [];
  const choices = providers.map(({ id, name, models }) => ({
    name,
    models:
      models.length === 0
        ? [{ name, choice: { provider: id, model: null } }]
        : models.map((each) => ({
            name: each.name,
            choice: { provider: id, model: each.id },
          })),
  }));
  const isListed = choices.some(({ models }) =>
    models.some((each) => choice !== null && keyOf(each.choice) === keyOf(choice)),
  );
  return (
    <SelectField
      label={t("form.model")}
      value={choice === null ? "" : keyOf(choice)}
      onChange={(key) => {
        const [provider, model] = key === "" ? [] : (JSON.parse(key) as [string, string | null]);
        onChange(provider === undefined ? null : { provider, model: model ?? null });
      }}
    >
      <option value="">{t("form.modelOfWorkspace")}</option>
      {choice !== null && !isListed && (
        <option value={keyOf(choice)}>
          {t("form.modelLost", { model: choice.model ?? choice.provider })}
        </option>
      )}
      {choices.map(({ name, models }) => (
        <optgroup key={name} label={name}>
          {models.map((each) => (
            <option key={keyOf(each.choice)} value={keyOf(each.choice)}>
              {each.name}
            </option>
          ))}
        </optgroup>
      ))}
    </SelectField>
  );
}

function FlowFields({ content, problemOf, onChange }: Props) {
  const { t } = useTranslation("schedules");
  const id = useId();
  const flows = useQuery(sharedFlowsQuery);
  const flow = flows.data?.find((each) => each.id === content.flowId);
  const problem = problemOf("flow");
  if (flows.error) return <Notice kind="bad">{flows.error.message}</Notice>;
  if (flows.data?.length === 0 && content.flowId === "")
    return <Notice>{t("form.noFlows")}</Notice>;
  return (
    <>
      <Field>
        <FieldLabel htmlFor={id}>{t("form.flow")}</FieldLabel>
        <Select
          id={id}
          value={content.flowId}
          invalid={problem !== null}
          aria-invalid={problem !== null || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => onChange({ flowId: event.target.value, inputs: {}, approvals: [] })}
        >
          {flow === undefined && (
            <option value={content.flowId}>
              {content.flowId === "" || flows.isPending ? t("form.chooseFlow") : t("form.flowGone")}
            </option>
          )}
          {(flows.data ?? []).map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </Select>
        <FieldNote id={`${id}-note`} problem={problem} help={flow?.description || undefined} />
      </Field>
      {flow !== undefined && flow.variables.length > 0 && (
        <FlowInputs
          flow={flow}
          inputs={content.inputs}
          showsProblems={problemOf("inputs") !== null}
          onChange={(inputs) => onChange({ inputs })}
        />
      )}
    </>
  );
}

/** A field for each variable with which the flow starts. */
function FlowInputs({
  flow,
  inputs,
  showsProblems,
  onChange,
}: {
  flow: SharedFlow;
  inputs: Record<string, string>;
  showsProblems: boolean;
  onChange: (inputs: Record<string, string>) => void;
}) {
  const { t } = useTranslation("schedules");
  return (
    <fieldset className="grid grid-cols-1 gap-3 rounded-md border border-line px-4 py-3">
      <legend className="-ms-1 px-1 font-medium">{t("form.inputs")}</legend>
      <FieldHelp>{t("form.inputsHelp")}</FieldHelp>
      {flow.variables.map((variable) => {
        const { name, value, description, required = false } = variable;
        const fault = showsProblems ? inputFault(variable, inputs) : null;
        return (
          <TextField
            key={name}
            label={<span dir="ltr">{name}</span>}
            extra={
              required &&
              value.trim() === "" && (
                <span className="font-normal text-fg-3">{t("form.required")}</span>
              )
            }
            value={inputs[name] ?? ""}
            placeholder={value}
            aria-required={required || undefined}
            help={description || undefined}
            problem={
              fault && t(`form.problem.${fault === "flow.input-missing" ? "missing" : "invalid"}`)
            }
            autoComplete="off"
            onChange={({ target }) => {
              const { [name]: _before, ...others } = inputs;
              onChange(target.value === "" ? others : { ...others, [name]: target.value });
            }}
          />
        );
      })}
    </fieldset>
  );
}
