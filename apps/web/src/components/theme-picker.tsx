import { useTranslation } from "react-i18next";
import { chooseTheme, useThemeChoice } from "../lib/theme.ts";
import { Segmented } from "./ui/segmented.tsx";

/** The theme, applied as soon as it is selected. */
export function ThemePicker() {
  const { t } = useTranslation("common");
  return (
    <Segmented
      label={t("theme.label")}
      value={useThemeChoice()}
      onChange={chooseTheme}
      options={[
        { value: "system", label: t("theme.system") },
        { value: "default", label: t("theme.dark") },
        { value: "light", label: t("theme.light") },
      ]}
    />
  );
}
