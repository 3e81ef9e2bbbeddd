import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { SettingsPage } from "../features/admin/components/settings-page.tsx";
import { Topbar } from "../features/shell/components/topbar.tsx";
import { usePageTitle } from "../lib/brand.ts";
import type { SettingsPageName } from "./-settings-pages.ts";

/** A settings page; on phones its title is in the bar. */
export function SettingsFrame({ page, children }: { page: SettingsPageName; children: ReactNode }) {
  const { t } = useTranslation("settings");
  const title = t(`page.${page}`);
  usePageTitle(title);
  return (
    <SettingsPage
      title={title}
      sentence={t(`sentence.${page}`)}
      bar={
        <div className="md:hidden">
          <Topbar above={t("title")} title={title} />
        </div>
      }
    >
      {children}
    </SettingsPage>
  );
}
