import { createFileRoute } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { AppearanceSettings } from "../features/admin/components/appearance-settings.tsx";
import { LogoSection } from "../features/branding/components/logo-section.tsx";
import { useBrandingForm } from "../features/branding/components/use-branding-form.tsx";
import { AppearancePage } from "../features/workspace-settings/components/appearance-page.tsx";
import { SettingsFrame } from "./-settings-frame.tsx";

const Welcome = lazy(() => import("../features/chat/components/welcome.tsx"));

export const Route = createFileRoute("/settings/appearance")({ component: Appearance });

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
