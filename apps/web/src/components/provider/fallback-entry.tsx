import { quotingProvider, type FallbackModel } from "@carrel/contracts";
import { ArrowUp, Trash2 } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { fallbackName, type FallbackProvider } from "../../lib/fallback-models.ts";
import { Combobox } from "../ui/combobox.tsx";
import { Field, FieldLabel } from "../ui/field.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { SelectField } from "../ui/select-field.tsx";

/** A model while it is edited: without a name it is the provider's own. */
export interface Entry {
  /** Key for React. */
  id: number;
  provider: string;
  model: string;
}

export const modelOf = ({ provider, model }: Entry): FallbackModel => ({
  provider,
  model: model.trim() || null,
});

/** One model of the list. */
export function FallbackEntry({
  entry,
  place,
  providers,
  onChange,
  onUp,
  onRemove,
}: {
  entry: Entry;
  /** From 1. */
  place: number;
  providers: FallbackProvider[];
  onChange: (entry: Entry) => void;
  onUp: () => void;
  onRemove: () => void;
}) {
  const { t } = useTranslation("fallback");
  const id = useId();
  const provider = providers.find((each) => each.id === entry.provider);
  const models = provider?.models ?? [];
  const name = fallbackName(modelOf(entry), providers);
  return (
    <li
      className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-end gap-3 max-md:grid-cols-1 max-md:rounded-md max-md:border max-md:border-subtle max-md:p-3"
      aria-label={t("entry", { place })}
    >
      <div className={entry.provider === quotingProvider ? "md:col-span-2" : undefined}>
        <SelectField
          label={t("provider")}
          value={entry.provider}
          onChange={(chosen) => onChange({ ...entry, provider: chosen, model: "" })}
        >
          {/* One that was saved and is no longer configured. */}
          {provider === undefined && <option value={entry.provider}>{entry.provider}</option>}
          {providers.map((each) => (
            <option key={each.id} value={each.id}>
              {each.name}
            </option>
          ))}
        </SelectField>
      </div>
      {entry.provider !== quotingProvider && (
        <Field>
          <FieldLabel htmlFor={id}>{t("model")}</FieldLabel>
          <Combobox
            id={id}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            value={entry.model}
            placeholder={provider?.model ?? t("ownModel")}
            listLabel={t("models")}
            options={models.map((model) => ({
              value: model.id,
              text: model.name === model.id ? null : model.name,
              hint: null,
            }))}
            status={(found) => (found > 0 ? null : models.length > 0 ? t("unlisted") : t("noList"))}
            onOpen={() => undefined}
            onPick={({ value }) => onChange({ ...entry, model: value })}
            onChange={(event) => onChange({ ...entry, model: event.target.value })}
          />
        </Field>
      )}
      <span className="flex h-9 items-center gap-1 max-md:justify-end">
        <IconButton label={t("up", { name })} disabled={place === 1} onClick={onUp}>
          <ArrowUp />
        </IconButton>
        <IconButton label={t("remove", { name })} onClick={onRemove}>
          <Trash2 />
        </IconButton>
      </span>
    </li>
  );
}
