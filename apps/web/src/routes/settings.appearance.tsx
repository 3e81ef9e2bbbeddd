import { createFileRoute } from "@tanstack/react-router";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { LanguagePicker } from "../components/language-picker.tsx";
import { ThemePicker } from "../components/theme-picker.tsx";
import { FormSection } from "../components/ui/form-section.tsx";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { LogoSection } from "../features/branding/components/logo-section.tsx";
import { useBrandingForm } from "../features/branding/components/use-branding-form.tsx";
import { AppearancePage } from "../features/workspace-settings/components/appearance-page.tsx";
import { lazyPart } from "../lib/lazy-part.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

const Welcome = lazyPart(() => import("../features/chat/components/welcome.tsx"));

export const Route = createFileRoute("/settings/appearance")({
  beforeLoad: requireManager,
  component: Appearance,
});

function Appearance() {
  const { t } = useTranslation("settings");
  const branding = useBrandingForm();
  return (
    <SettingsFrame page="appearance">
      <AppearancePage
        label={t("page.appearance")}
        branding={branding}
        preview={(messages) => (
          <Suspense>
            <Welcome messages={messages} />
          </Suspense>
        )}
      >
        <AppearanceSettings />
        <LogoSection />
      </AppearancePage>
    </SettingsFrame>
  );
}

/** Theme and language, applied as soon as they are selected. */
function AppearanceSettings() {
  const { t } = useTranslation(["settings", "common"]);
  return (
    <>
      <FormSection title={t("common:theme.label")}>
        <div>
          <ThemePicker />
        </div>
        <p className="text-fg-3 text-xs">{t("themeHelp")}</p>
      </FormSection>
      <FormSection title={t("common:language")}>
        <LanguagePicker className="max-w-[360px] max-md:max-w-none" />
        <p className="text-fg-3 text-xs">{t("themeHelp")}</p>
      </FormSection>
    </>
  );
}
