import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import type { WidgetFieldsProps } from "../state/widget-draft.ts";
import { SwitchRow } from "./switch-row.tsx";

const overrides = [
  ["prompt", "allowPrompt"],
  ["model", "allowModel"],
  ["temperature", "allowTemperature"],
] as const;

/** What the pages of a site may decide. */
export function WidgetVisitorFields({ draft, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  return (
    <FormSection title={t("security")}>
      <SwitchRow
        label={t("onlySigned")}
        help={t("onlySignedHelp")}
        on={draft.onlySigned}
        busy={false}
        onChange={(onlySigned) => set({ onlySigned })}
      />
      <fieldset className="grid gap-1">
        <legend className="font-medium">{t("overrides")}</legend>
        <p className="mb-1 text-fg-2">{t("overridesHelp")}</p>
        {overrides.map(([name, field]) => (
          <label key={name} className="flex items-center gap-2.5 py-1">
            <Checkbox
              checked={draft[field]}
              onChange={(event) => set({ [field]: event.target.checked })}
            />
            {t(`override.${name}`)}
          </label>
        ))}
      </fieldset>
    </FormSection>
  );
}
