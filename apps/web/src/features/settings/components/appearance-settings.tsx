import { useTranslation } from "react-i18next";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { chooseTheme, useThemeChoice } from "../../../lib/theme.ts";

/** The theme, applied as soon as it is selected. */
export function AppearanceSettings() {
  const { t } = useTranslation("settings");
  const choice = useThemeChoice();
  return (
    <section aria-labelledby="theme-title">
      <h2 id="theme-title">{t("theme")}</h2>
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
      <p className="t3 xs">{t("themeHelp")}</p>
    </section>
  );
}
