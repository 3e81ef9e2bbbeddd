import { chatModes, type WorkspaceWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { History, Share2, TriangleAlert } from "lucide-react";
import { Suspense, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FallbackSummary } from "../../../components/provider/fallback-summary.tsx";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { ClosedDoor } from "../../../components/ui/closed-door.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { parametersQuery } from "../../../lib/answer-parameters.ts";
import { useRights } from "../../../lib/current-user.ts";
import { joinPhrases } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { defaultPromptQuery } from "../api/prompt.ts";
import { useUpdateWorkspace } from "../api/workspace.ts";
import {
  changeOf,
  maxHistory,
  parseNumber,
  recommendedHistory,
  savedOf,
  useDraft,
  valuesOf,
} from "../state/workspace-form.ts";
import { ModelChoice } from "./model-choice.tsx";
import { PromptVariables } from "./prompt-variables.tsx";
import { ChoiceList, SettingsForm, TextArea } from "./settings-form.tsx";

const PromptHistoryDialog = lazyPart(() => import("./prompt-history-dialog.tsx"));

/** The system prompt, its history, and variables to insert at the cursor. */
function PromptField({
  slug,
  value,
  problem,
  onChange,
}: {
  slug: string;
  value: string;
  problem: string | undefined;
  onChange: (prompt: string) => void;
}) {
  const { t } = useTranslation("workspace");
  const area = useRef<HTMLTextAreaElement>(null);
  const [history, setHistory] = useState(false);
  const { admin } = useRights();
  const standard = useQuery(defaultPromptQuery).data?.defaultSystemPrompt;
  return (
    <>
      <TextArea
        ref={area}
        label={t("promptLabel")}
        rows={8}
        dir="auto"
        value={value}
        placeholder={standard}
        problem={problem}
        onChange={(event) => onChange(event.target.value)}
        help={value.trim() === "" ? t("promptEmpty") : undefined}
        extra={
          <span className="flex flex-wrap justify-end gap-1">
            {admin && value.trim() !== "" && (
              <Link
                className={buttonStyles({ variant: "quiet", size: "sm" })}
                to="/settings/community-hub/publish"
                search={{ type: "system-prompt", of: slug }}
              >
                <Share2 className="size-3.5 stroke-2" aria-hidden="true" />
                {t("publishPrompt")}
              </Link>
            )}
            <Button variant="quiet" size="sm" onClick={() => setHistory(true)}>
              <History className="size-3.5 stroke-2" aria-hidden="true" />
              {t("earlierPrompts")}
            </Button>
          </span>
        }
      />
      <PromptVariables area={area} value={value} onChange={onChange} />
      {history && (
        <Suspense>
          <PromptHistoryDialog
            slug={slug}
            onRestore={(prompt) => {
              onChange(prompt);
              setHistory(false);
            }}
            onClose={() => setHistory(false)}
          />
        </Suspense>
      )}
    </>
  );
}

const ParameterDialog = lazyPart(() => import("../../../components/provider/parameter-dialog.tsx"));

/** Maximum length of a workspace's answers and its model's sampling settings, in one line. */
function AnswerParameters({ slug }: { slug: string }) {
  const { t } = useTranslation("parameters");
  const [open, setOpen] = useState(false);
  const state = useQuery(parametersQuery({ slug }));
  if (state.error)
    return (
      <FailedQuery
        title={t("loadFailed")}
        retryLabel={t("retry")}
        error={state.error}
        retry={() => void state.refetch()}
      />
    );
  const summary = (): string => {
    if (!state.data) return "…";
    const { workspaceSupports, workspace } = state.data;
    if (!workspaceSupports.maxTokens) return t("summaryUnsupported");
    const efforts = { low: t("effortLow"), medium: t("effortMedium"), high: t("effortHigh") };
    const parts = [
      workspace.maxTokens != null && t("summaryLength", { count: workspace.maxTokens }),
      workspace.topP != null && t("summaryTopP", { value: workspace.topP }),
      workspace.effort != null &&
        t("summaryEffort", { effort: efforts[workspace.effort].toLowerCase() }),
    ].filter((part) => part !== false);
    const line = joinPhrases(parts);
    return line === "" ? t("summaryNone") : line.charAt(0).toUpperCase() + line.slice(1);
  };
  return (
    <div className="flex items-start gap-5">
      <div className="min-w-0 flex-1">
        <span className="font-medium">{t("label")}</span>
        <p className="text-fg-2">{summary()}</p>
      </div>
      {state.data?.workspaceSupports.maxTokens === false ? (
        <ClosedDoor door="parameters">
          <Button size="sm" aria-label={t("changeNamed")}>
            {t("change")}
          </Button>
        </ClosedDoor>
      ) : (
        <Button
          size="sm"
          aria-label={t("changeNamed")}
          disabled={!state.data}
          onClick={() => setOpen(true)}
        >
          {t("change")}
        </Button>
      )}
      {open && (
        <Suspense>
          <ParameterDialog owner={{ slug }} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** A warning below a field whose value is allowed but unusual. */
const Caution = ({ children }: { children: ReactNode }) => (
  <p className="flex gap-1.5 text-xs text-warning" role="status">
    <TriangleAlert className="size-3.5 stroke-2 mt-0.5" aria-hidden="true" />
    <span>{children}</span>
  </p>
);

/** No provider Carrel knows accepts more; many stop at 1. */
const maxTemperature = 2;

/** The workspace's model, chat mode, prompt and history. */
export function ChatTab({ workspace }: { workspace: WorkspaceWire }) {
  const { t } = useTranslation("workspace");
  const draft = useDraft(valuesOf(workspace));
  const update = useUpdateWorkspace(workspace.slug);
  const { values, faults, set } = draft;
  const save = async () => {
    const before = savedOf(draft.changed, workspace);
    await update.mutateAsync(changeOf(draft.changed, values));
    draft.settle(values);
    return () => update.mutateAsync(before);
  };
  const fault = (name: keyof typeof faults): string | undefined => {
    const found = faults[name];
    return found && t(`fault.${found}`);
  };
  const refusal = (
    <TextArea
      label={t("refusal")}
      rows={3}
      value={values.queryRefusalResponse}
      placeholder={t("refusalDefault")}
      help={t("refusalHelp")}
      problem={fault("queryRefusalResponse")}
      onChange={(event) => set({ queryRefusalResponse: event.target.value })}
    />
  );
  const query = values.chatMode === "query";
  const long = !faults.openAiHistory && Number(values.openAiHistory) > maxHistory;
  const hot = !faults.openAiTemp && parseNumber(values.openAiTemp) > maxTemperature;
  return (
    <SettingsForm
      label={t("tab.chat-settings")}
      changes={draft.changed.length}
      faults={Object.keys(faults).length}
      onSave={save}
      onDiscard={draft.discard}
    >
      <FormSection title={t("model")} help={t("modelHelp")}>
        <ModelChoice
          slug={workspace.slug}
          provider={values.chatProvider}
          model={values.chatModel}
          saved={{ provider: workspace.chatProvider ?? "", model: workspace.chatModel ?? "" }}
          onChange={(provider, model) => set({ chatProvider: provider, chatModel: model })}
        />
        <FallbackSummary slug={workspace.slug} />
        <AnswerParameters slug={workspace.slug} />
      </FormSection>
      <FormSection title={t("mode")}>
        <ChoiceList
          label={t("modeLabel")}
          value={chatModes.find((mode) => mode === values.chatMode) ?? "chat"}
          onChange={(chatMode) => set({ chatMode })}
          options={[
            { value: "chat", name: t("modeChat"), help: t("modeChatHelp") },
            { value: "query", name: t("modeQuery"), help: t("modeQueryHelp") },
            { value: "automatic", name: t("modeAutomatic"), help: t("modeAutomaticHelp") },
          ]}
        />
        {query && refusal}
        <Field>
          <TextField
            label={t("history")}
            className="max-w-[200px] max-md:max-w-none"
            type="number"
            inputMode="numeric"
            min={0}
            step={1}
            value={values.openAiHistory}
            help={t("historyHelp", { recommended: recommendedHistory })}
            problem={fault("openAiHistory")}
            onChange={(event) => set({ openAiHistory: event.target.value })}
          />
          {long && (
            <Caution>
              {t("historyLong", { max: maxHistory, recommended: recommendedHistory })}
            </Caution>
          )}
        </Field>
      </FormSection>
      <FormSection title={t("prompt")} help={t("promptHelp")}>
        <PromptField
          slug={workspace.slug}
          value={values.openAiPrompt}
          problem={fault("openAiPrompt")}
          onChange={(openAiPrompt) => set({ openAiPrompt })}
        />
        <Field>
          <TextField
            label={t("temperature")}
            className="max-w-[200px] max-md:max-w-none"
            inputMode="decimal"
            autoComplete="off"
            value={values.openAiTemp}
            placeholder={t("temperatureDefault")}
            help={t("temperatureHelp")}
            problem={fault("openAiTemp")}
            onChange={(event) => set({ openAiTemp: event.target.value })}
          />
          {hot && <Caution>{t("temperatureHigh", { max: maxTemperature })}</Caution>}
        </Field>
      </FormSection>
      {!query && (
        <FormSection title={t("refusalTitle")} help={t("refusalLater")}>
          {refusal}
        </FormSection>
      )}
    </SettingsForm>
  );
}
