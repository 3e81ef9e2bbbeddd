import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { chooseTheme, useThemeChoice } from "../../../lib/theme.ts";

/** The theme, applied as soon as it is selected. */
export function AppearanceSettings() {
  const { t } = useTranslation("settings");
  const choice = useThemeChoice();
  return (
    <FormSection title={t("theme")}>
      <div>
        <Segmented
          label={t("theme")}
          value={choice}
          onChange={chooseTheme}
          options={[
            { value: "system", label: t("themeSystem") },
            { value: "default", label: t("themeDark") },
            { value: "light", label: t("themeLight") },
          ]}
        />
      </div>
      <p className="text-fg-3 text-xs">{t("themeHelp")}</p>
    </FormSection>
  );
}
