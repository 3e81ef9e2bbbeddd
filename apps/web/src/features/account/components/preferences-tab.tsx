import { useTranslation } from "react-i18next";
import { Select } from "../../../components/ui/input.tsx";
import { Field, FieldHelp, labelStyles } from "../../../components/ui/field.tsx";
import { ThemePicker } from "../../../components/theme-picker.tsx";
import { languages } from "../../../lib/i18n.ts";
import { toast } from "../../../lib/toast.ts";
import { useUpdateProfile } from "../api/profile.ts";

/** Language and theme. Both take effect at once; main.tsx saves the theme to the profile. */
export function PreferencesTab() {
  const { t, i18n } = useTranslation(["account", "common"]);
  const update = useUpdateProfile();
  const chooseLanguage = (userLang: string): void =>
    update.mutate(
      { userLang },
      {
        onSuccess: () => {
          void i18n.changeLanguage(userLang);
          toast.success(t("updated"));
        },
      },
    );
  return (
    <div className="grid content-start gap-4">
      <Field>
        <div className={labelStyles}>
          <label htmlFor="account-language">{t("language")}</label>
        </div>
        <Select
          className="max-w-[360px] max-md:max-w-none"
          id="account-language"
          value={i18n.language}
          onChange={(event) => chooseLanguage(event.target.value)}
        >
          {languages.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field>
        <span className={labelStyles}>{t("common:theme.label")}</span>
        <div>
          <ThemePicker />
        </div>
        <FieldHelp>{t("themeHelp")}</FieldHelp>
      </Field>
    </div>
  );
}
