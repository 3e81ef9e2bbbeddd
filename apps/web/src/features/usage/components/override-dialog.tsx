import {
  maxModelPrice,
  maxModelTokens,
  minContextWindow,
  modelAbilities,
  modelPriceNames,
  type ModelOverride,
} from "@carrel/contracts";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { toast, undoing } from "../../../lib/toast.ts";
import { useSaveOverrides } from "../api/overrides.ts";
import {
  faultsOf,
  fieldsOf,
  limits,
  overrideOf,
  type OverrideFields,
} from "../state/override-form.ts";

/** Adds, changes or removes an admin's facts about a model. */
export function OverrideDialog({
  override,
  overrides,
  providers,
  onClose,
}: {
  override: ModelOverride | null;
  overrides: ModelOverride[];
  providers: { id: string; name: string }[];
  onClose: () => void;
}) {
  const { t } = useTranslation("usage");
  const [fields, setFields] = useState(fieldsOf(override, providers[0]?.id ?? ""));
  const [submitted, setSubmitted] = useState(false);
  const save = useSaveOverrides();
  const others = overrides.filter((each) => each !== override);
  const faults = faultsOf(fields, others);
  const set = (change: Partial<OverrideFields>): void => {
    setFields({ ...fields, ...change });
    save.reset();
  };
  const store = (next: ModelOverride[], done: string): void => {
    if (save.isPending) return;
    save.mutate(next, {
      onSuccess: () => {
        toast.success(
          done,
          undoing(() => save.mutateAsync(overrides)),
        );
        onClose();
      },
    });
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setSubmitted(true);
    const [first] = Object.keys(faults);
    if (first !== undefined)
      return event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
    const changed = overrideOf(fields);
    store(
      override === null
        ? [...overrides, changed]
        : overrides.map((each) => (each === override ? changed : each)),
      t("models.saved"),
    );
  };
  const problemOf = (name: keyof OverrideFields): string | null => {
    const fault = faults[name];
    return submitted && fault
      ? t(`models.fault.${fault}`, {
          max: formatNumber(maxModelPrice),
          least: formatNumber(minContextWindow),
          most: formatNumber(maxModelTokens),
        })
      : null;
  };
  const renderNumber = (name: (typeof limits)[number] | (typeof modelPriceNames)[number]) => (
    <TextField
      key={name}
      label={t(`models.${name}`)}
      name={name}
      inputMode="decimal"
      dir="ltr"
      autoComplete="off"
      placeholder={t("models.unchanged")}
      value={fields[name]}
      problem={problemOf(name)}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  return (
    <Dialog open onClose={onClose} title={override?.model ?? t("models.add")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit} noValidate>
        <SelectField
          label={t("models.provider")}
          value={fields.provider}
          onChange={(provider) => set({ provider })}
        >
          {providers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("models.model")}
          name="model"
          dir="ltr"
          maxLength={255}
          autoComplete="off"
          value={fields.model}
          problem={problemOf("model")}
          onChange={(event) => set({ model: event.target.value })}
        />
        <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">{limits.map(renderNumber)}</div>
        <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
          {modelAbilities.map((ability) => (
            <SelectField
              key={ability}
              label={t(`models.${ability}`)}
              value={fields[ability]}
              onChange={(value) => set({ [ability]: value })}
            >
              <option value="">{t("models.unchanged")}</option>
              <option value="yes">{t("models.yes")}</option>
              <option value="no">{t("models.no")}</option>
            </SelectField>
          ))}
        </div>
        <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
          {modelPriceNames.map(renderNumber)}
        </div>
        <FieldHelp>{t("models.amountsHelp")}</FieldHelp>
        {save.error && <Notice kind="bad">{save.error.message}</Notice>}
        <DialogFooter>
          {override !== null && (
            <Button
              variant="danger-outline"
              className="me-auto max-md:me-0"
              disabled={save.isPending}
              onClick={() => store(others, t("models.removed"))}
            >
              {t("models.remove")}
            </Button>
          )}
          <Button onClick={onClose}>{t("models.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={save.isPending}>
            {t("models.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
