import { useTranslation } from "react-i18next";
import { ThemePicker } from "../../../components/theme-picker.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";

/** The theme, applied as soon as it is selected. */
export function AppearanceSettings() {
  const { t } = useTranslation(["settings", "common"]);
  return (
    <FormSection title={t("common:theme.label")}>
      <div>
        <ThemePicker />
      </div>
      <p className="text-fg-3 text-xs">{t("themeHelp")}</p>
    </FormSection>
  );
}
