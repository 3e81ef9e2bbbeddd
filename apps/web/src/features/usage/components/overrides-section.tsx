import {
  maxModelOverrides,
  maxModelPrice,
  maxModelTokens,
  minContextWindow,
  modelAbilities,
  modelPriceNames,
  type ModelOverride,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { FailedQuery, Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { Card } from "../../../components/usage-figures.tsx";
import { formatNumber } from "../../../lib/format.ts";
import { providersQuery } from "../../../lib/providers.ts";
import { toast, undoing } from "../../../lib/toast.ts";
import { overridesQuery, useSaveOverrides } from "../api/usage.ts";
import {
  faultsOf,
  fieldsOf,
  limits,
  overrideOf,
  type OverrideFields,
} from "../state/override-form.ts";

const values = [...limits, ...modelAbilities, ...modelPriceNames] as const;

type Translate = ReturnType<typeof useTranslation<"usage">>["t"];

function formatValue(t: Translate, name: string, value: number | boolean): string {
  if (typeof value === "boolean") return t(value ? "models.yes" : "models.no");
  return (limits as readonly string[]).includes(name)
    ? formatNumber(value)
    : `$${formatNumber(value, 6)}`;
}

/** Facts from admins that override the catalogue's. */
export function OverridesSection() {
  const { t } = useTranslation("usage");
  const overrides = useQuery(overridesQuery);
  const declared = useQuery(providersQuery);
  const [edited, setEdited] = useState<ModelOverride | "new" | null>(null);
  const names = new Map(
    declared.data?.providers
      .filter(({ kind }) => kind !== "vector")
      .map(({ id, name }) => [id, name]),
  );
  const failed = overrides.error ? overrides : declared;
  return (
    <Card
      title={t("models.title")}
      head={
        <Button
          size="sm"
          disabled={!overrides.data || !declared.data || overrides.data.length >= maxModelOverrides}
          onClick={() => setEdited("new")}
        >
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("models.add")}
        </Button>
      }
    >
      <p className="max-w-[80ch] text-xs text-fg-3">{t("models.text")}</p>
      {failed.error && (
        <FailedQuery
          title={t("models.loadFailed")}
          retryLabel={t("retry")}
          error={failed.error}
          retry={() => void failed.refetch()}
        />
      )}
      {overrides.data?.length === 0 && <p className="mt-3 text-fg-2">{t("models.none")}</p>}
      {overrides.data && overrides.data.length > 0 && (
        <div
          className="mt-3 overflow-x-auto"
          tabIndex={0}
          role="group"
          aria-label={t("models.title")}
        >
          <table className="w-full text-start">
            <thead>
              <tr className="text-xs text-fg-3">
                {(["provider", "model", "values"] as const).map((column) => (
                  <th key={column} scope="col" className="py-1.5 pe-4 text-start font-medium">
                    {t(`models.${column}`)}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody>
              {overrides.data.map((override) => (
                <tr
                  key={JSON.stringify([override.provider, override.model])}
                  className="border-t border-subtle"
                >
                  <td className="py-2 pe-4">{names.get(override.provider) ?? override.provider}</td>
                  <td className="py-2 pe-4 wrap-anywhere" dir="ltr">
                    {override.model}
                  </td>
                  <td className="py-2 pe-4">
                    <ul className="flex flex-wrap gap-x-4 gap-y-1 tabular-nums">
                      {values
                        .filter((name) => override[name] !== undefined)
                        .map((name) => (
                          <li key={name}>
                            <span className="text-fg-3">{t(`models.${name}`)}</span>{" "}
                            {formatValue(t, name, override[name]!)}
                          </li>
                        ))}
                    </ul>
                  </td>
                  <td className="py-2 text-end">
                    <Button
                      size="sm"
                      aria-label={t("models.editNamed", { name: override.model })}
                      onClick={() => setEdited(override)}
                    >
                      {t("models.edit")}
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited !== null && overrides.data && (
        <OverrideDialog
          override={edited === "new" ? null : edited}
          overrides={overrides.data}
          providers={[...names].map(([id, name]) => ({ id, name }))}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

/** Adds, changes or removes an admin's facts about a model. */
function OverrideDialog({
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
