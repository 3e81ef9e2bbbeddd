import { searchProviders } from "@carrel/contracts/search-providers";
import { agentLabels } from "@carrel/contracts/skill-declaration";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { ProviderFieldRow } from "../../../components/provider/provider-field.tsx";
import { SmallForm } from "../../../components/setting-parts.tsx";
import { Field, FieldLabel, Select } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import "../../../lib/settings-texts.ts";
import { useSavePreferences, type Preferences } from "../../../lib/agent-preferences.ts";
import { providersQuery, useSaveSettings } from "../../../lib/providers.ts";

const groups = ["local", "hosted"] as const;
const providerField = "provider";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Which search engine agents use, and the settings that its declaration lists. */
export default function SearchProviderForm({
  preferences,
  setup,
}: {
  preferences: Preferences;
  setup: Preferences;
}) {
  const { t } = useTranslation("agents");
  const id = useId();
  const { locked } = useSuspenseQuery(providersQuery).data;
  const savePreferences = useSavePreferences();
  const saveSettings = useSaveSettings();
  const kept = textOf(preferences[agentLabels.searchProvider]);
  const form = useForm<Record<string, string>>({
    defaultValues: {
      [providerField]: searchProviders.some((each) => each.id === kept) ? kept : "",
      ...Object.fromEntries(
        searchProviders
          .flatMap(({ fields }) => fields)
          .map((field) => [
            field.key,
            field.kind === "secret" ? "" : textOf(setup[field.key]) || String(field.default ?? ""),
          ]),
      ),
    },
  });
  const values = useWatch({ control: form.control });
  const chosen = searchProviders.find((each) => each.id === values[providerField]);
  const fields = chosen?.fields ?? [];
  const dirty = form.formState.dirtyFields;
  const changed = dirty[providerField] === true || fields.some(({ key }) => dirty[key] === true);
  const isIncomplete = fields.some(
    ({ key, kind, required }) =>
      required && !values[key]?.trim() && !(kind === "secret" && setup[key] === true),
  );
  const save = async (): Promise<void> => {
    const sent = form.getValues();
    const settings = Object.fromEntries(
      fields
        .filter(({ key }) => dirty[key] === true && !locked.includes(key))
        .map(({ key }) => [key, sent[key]?.trim() || null]),
    );
    // The provider goes last, so that it is chosen only once its settings are saved.
    if (Object.keys(settings).length > 0) await saveSettings.mutateAsync(settings);
    if (dirty[providerField] === true)
      await savePreferences.mutateAsync({
        [agentLabels.searchProvider]: sent[providerField] || "none",
      });
    const secrets = fields.filter(({ kind }) => kind === "secret").map(({ key }) => [key, ""]);
    form.reset({ ...sent, ...Object.fromEntries(secrets) });
  };
  return (
    <FormSection title={t("search.title")}>
      <SmallForm changed={changed} done={t("search.saved")} onSave={save}>
        <Field>
          <FieldLabel htmlFor={id}>{t("search.label")}</FieldLabel>
          <Select id={id} {...form.register(providerField)}>
            <option value="">{t("search.none")}</option>
            {groups.map((group) => (
              <optgroup key={group} label={t(`search.${group}`)}>
                {searchProviders
                  .filter((each) => each.group === group)
                  .map((each) => (
                    <option key={each.id} value={each.id}>
                      {each.name}
                    </option>
                  ))}
              </optgroup>
            ))}
          </Select>
        </Field>
        {chosen === undefined ? (
          <Notice kind="warn">
            <p>{t("search.noneHelp")}</p>
          </Notice>
        ) : (
          <Notice kind={isIncomplete ? "warn" : "plain"}>
            <p>
              {isIncomplete
                ? t("search.incomplete")
                : chosen.id === "duckduckgo-engine"
                  ? t("search.duckHelp")
                  : chosen.group === "local"
                    ? t("search.localHelp")
                    : t("search.hostedHelp", { name: chosen.name })}
            </p>
          </Notice>
        )}
        {fields.map((field) => (
          <ProviderFieldRow
            key={field.key}
            field={field}
            registration={form.register(field.key)}
            value={values[field.key] ?? ""}
            fault={null}
            saved={setup[field.key] === true}
            locked={locked.includes(field.key)}
            listing={null}
            keyUrl={chosen?.keyUrl ?? null}
            onReplace={(text) => form.setValue(field.key, text, { shouldDirty: true })}
          />
        ))}
      </SmallForm>
    </FormSection>
  );
}
