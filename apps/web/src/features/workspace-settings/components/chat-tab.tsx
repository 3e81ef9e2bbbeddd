import type { WorkspaceWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { Caution } from "./caution.tsx";
import { AnswerParameters } from "../../../components/provider/answer-parameters.tsx";
import { FallbackModels } from "../../../components/provider/fallback-models.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Field } from "../../../components/ui/field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useUpdateWorkspace } from "../api/workspace.ts";
import { useDraft } from "../state/draft.ts";
import {
  changeOf,
  maxHistory,
  parseNumber,
  recommendedHistory,
  savedOf,
  valuesOf,
} from "../state/workspace-form.ts";
import { ChoiceList } from "./choice-list.tsx";
import { ModelChoice } from "./model-choice.tsx";
import { PromptField } from "./prompt-field.tsx";
import { SettingsForm } from "./settings-form.tsx";
import { TextArea } from "./text-area.tsx";

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
        <FallbackModels slug={workspace.slug} />
        <AnswerParameters slug={workspace.slug} />
      </FormSection>
      <FormSection title={t("mode")}>
        <ChoiceList
          label={t("modeLabel")}
          value={query ? "query" : "chat"}
          onChange={(chatMode) => set({ chatMode })}
          options={[
            { value: "chat", name: t("modeChat"), help: t("modeChatHelp") },
            { value: "query", name: t("modeQuery"), help: t("modeQueryHelp") },
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
