import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
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

const icons = [
  ["", "plus"],
  ["chatCircle", "chatCircle"],
  ["support", "support"],
  ["search", "search"],
  ["search2", "search2"],
  ["magic", "magic"],
] as const;
/** Includes the script's defaults. */
const colors = [
  ["buttonColor", "#262626"],
  ["userBgColor", "#2c2f35"],
  ["assistantBgColor", "#2563eb"],
] as const;

/** Attributes of the script and the full-page chat. */
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
        {colors.map(([name, fallback]) => (
          <TextField
            key={name}
            label={t(`colors.${name}`)}
            help={t("colorHelp", { color: fallback })}
            dir="ltr"
            value={look[name]}
            maxLength={100}
            autoComplete="off"
            onChange={(event) => change(name, event.target.value)}
          />
        ))}
        <SelectField
          label={t("icon")}
          value={look.chatIcon === "plus" ? "" : look.chatIcon}
          onChange={(icon) => change("chatIcon", icon)}
        >
          {icons.map(([value, name]) => (
            <option key={value} value={value}>
              {t(`icons.${name}`)}
            </option>
          ))}
        </SelectField>
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
