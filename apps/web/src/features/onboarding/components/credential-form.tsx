import type { ProviderDeclaration } from "@carrel/contracts";
import { useEffect, useEffectEvent } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { ProviderFieldRow } from "../../../components/provider/provider-field.tsx";
import { ConnectionTest, ProviderNotices } from "../../../components/provider/provider-notices.tsx";
import { useAutoDetect } from "../../../components/provider/use-auto-detect.ts";
import { useProviderModels } from "../../../components/provider/use-provider-models.ts";
import {
  changedValues,
  credentialFields,
  faultOf,
  initialValues,
  type Values,
} from "../../../lib/provider-form.ts";

/** How long after the last keystroke typed credentials are tried (specification 2, section 4). */
const debounceMs = 500;

/**
 * What a provider needs to be reached: the settings form with `credentialsOnly`. Typed credentials
 * are tried automatically, and saving tries them first.
 */
export function CredentialForm({
  id,
  provider,
  saved,
  locked,
  inUse,
  onSave,
}: {
  id: string;
  provider: ProviderDeclaration;
  saved: Record<string, unknown>;
  locked: string[];
  /** Somebody has already chosen this provider. */
  inUse: boolean;
  onSave: (changes: Values) => void;
}) {
  const { t } = useTranslation(["onboarding", "settings"]);
  const { control, register, setValue, getValues, handleSubmit, formState } = useForm<Values>({
    defaultValues: initialValues(provider, saved),
  });
  const values = useWatch({ control }) as Values;
  const fields = credentialFields(provider, values);
  const { test, canTest, listing, runTest, forgetTest, forget } = useProviderModels({
    kind: "language",
    provider,
    values,
    saved,
    locked,
    choosesModel: true,
    onEdit: (key, value) => setValue(key, value, { shouldDirty: true }),
  });
  const detection = useAutoDetect({
    provider,
    saved,
    locked,
    getValues,
    onFound: (key, address) => {
      setValue(key, address, { shouldDirty: true });
      forget();
    },
  });
  const credentials = fields.filter(({ kind }) => kind !== "model" && kind !== "number");
  const faultIn = (field: (typeof fields)[number]) =>
    faultOf(field, values[field.key] ?? "", saved);
  const needed = listing === null ? fields : credentials;
  const isReady = canTest && credentials.length > 0 && needed.every((each) => !faultIn(each));
  const typed = JSON.stringify(credentials.map(({ key }) => values[key]));

  const tryTyped = useEffectEvent(() => {
    if (isReady) runTest();
  });
  const isTouched = formState.isDirty;
  useEffect(() => {
    if (!isTouched) return undefined;
    const timer = setTimeout(() => tryTyped(), debounceMs);
    return () => clearTimeout(timer);
  }, [typed, isTouched]);

  const save = (): void =>
    onSave(changedValues("language", provider, values, saved, locked, inUse));
  const submit = handleSubmit(() => {
    if (fields.some(faultIn)) return;
    if (isReady && isTouched && !test.isSuccess) runTest(save);
    else save();
  });
  return (
    <form
      id={id}
      className="grid grid-cols-1 gap-5"
      aria-label={t("model.settingsOf", { name: provider.name })}
      onSubmit={(event) => void submit(event)}
      noValidate
    >
      {fields.map((field) => (
        <ProviderFieldRow
          key={field.key}
          field={field}
          registration={register(field.key, {
            onChange: () => {
              if (credentials.includes(field)) forget();
              else forgetTest();
            },
          })}
          value={values[field.key] ?? ""}
          fault={
            formState.isSubmitted || (formState.dirtyFields[field.key] && values[field.key] !== "")
              ? faultIn(field)
              : null
          }
          saved={saved[field.key] === true}
          locked={locked.includes(field.key)}
          listing={listing}
          keyUrl={provider.keyUrl ?? null}
          detection={detection}
          onReplace={(text) => setValue(field.key, text, { shouldDirty: true })}
        />
      ))}
      {canTest && (
        <ConnectionTest
          test={test}
          onTest={() => runTest()}
          onSaveAnyway={isTouched && !fields.some(faultIn) ? save : null}
        />
      )}
      <ProviderNotices kind="language" provider={provider} saved={saved} values={values} />
    </form>
  );
}
