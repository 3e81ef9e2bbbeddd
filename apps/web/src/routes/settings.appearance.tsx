import { createFileRoute } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { AppearanceSettings } from "../features/admin/components/appearance-settings.tsx";
import { AppearancePage } from "../features/workspace-settings/components/appearance-page.tsx";
import { SettingsFrame } from "./-settings-frame.tsx";

const Welcome = lazy(() => import("../features/chat/components/welcome.tsx"));

export const Route = createFileRoute("/settings/appearance")({ component: Appearance });

function Appearance() {
  const { t } = useTranslation("settings");
  return (
    <SettingsFrame page="appearance">
      <AppearancePage
        label={t("page.appearance")}
        preview={(messages) => (
          <Suspense>
            <Welcome messages={messages} />
          </Suspense>
        )}
      >
        <AppearanceSettings />
      </AppearancePage>
    </SettingsFrame>
  );
}
