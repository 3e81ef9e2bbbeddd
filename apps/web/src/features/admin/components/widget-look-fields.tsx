import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import type { WidgetFieldsProps, WidgetLook } from "../state/widget-draft.ts";

/** The script's default is the first, which needs no attribute. */
const themes = [
  ["", "auto"],
  ["light", "light"],
  ["dark", "dark"],
] as const;
const positions = [
  ["", "bottomRight"],
  ["bottom-left", "bottomLeft"],
  ["top-right", "topRight"],
  ["top-left", "topLeft"],
] as const;

/** Attributes of the script and of the full-page chat. */
export function WidgetLookFields({ draft: { look }, set }: WidgetFieldsProps) {
  const { t } = useTranslation("widgets");
  const change = (name: WidgetLook, value: string): void =>
    set({ look: { ...look, [name]: value } });
  return (
    <FormSection title={t("look")} help={t("lookHelp")}>
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <TextField
          label={t("assistantName")}
          value={look.assistantName}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change("assistantName", event.target.value)}
        />
        <SelectField
          label={t("theme")}
          value={look.theme === "auto" ? "" : look.theme}
          onChange={(theme) => change("theme", theme)}
        >
          {themes.map(([value, name]) => (
            <option key={value} value={value}>
              {t(`themes.${name}`)}
            </option>
          ))}
        </SelectField>
        <TextField
          label={t("color")}
          help={t("colorHelp")}
          dir="ltr"
          value={look.buttonColor}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => change("buttonColor", event.target.value)}
        />
        <SelectField
          label={t("position")}
          value={look.position === "bottom-right" ? "" : look.position}
          onChange={(position) => change("position", position)}
        >
          {positions.map(([value, name]) => (
            <option key={value} value={value}>
              {t(`positions.${name}`)}
            </option>
          ))}
        </SelectField>
      </div>
    </FormSection>
  );
}
