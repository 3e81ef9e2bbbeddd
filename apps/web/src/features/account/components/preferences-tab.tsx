import type { UserWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { languages } from "../../../lib/i18n.ts";
import { chooseTheme, useThemeChoice } from "../../../lib/theme.ts";
import { toast } from "../../../lib/toast.ts";
import { useUpdateProfile } from "../api/profile.ts";

/** Language and theme. Both take effect at once; main.tsx saves the theme to the profile. */
export function PreferencesTab({ user }: { user: UserWire }) {
  const { t } = useTranslation("account");
  const choice = useThemeChoice();
  const update = useUpdateProfile();
  const chooseLanguage = (userLang: string): void =>
    update.mutate({ userLang }, { onSuccess: () => toast.success(t("updated")) });
  const language = languages.find(({ code }) => code === user.userLang)?.code ?? languages[0].code;
  return (
    <div className="account-rows">
      <div className="field">
        <div className="lbl">
          <label htmlFor="account-language">{t("language")}</label>
        </div>
        <select
          id="account-language"
          className="input"
          value={language}
          onChange={(event) => chooseLanguage(event.target.value)}
        >
          {languages.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <span className="lbl">{t("theme")}</span>
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
        <p className="help">{t("themeHelp")}</p>
      </div>
    </div>
  );
}
