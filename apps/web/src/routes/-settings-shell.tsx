import { Link, Outlet } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import "../features/admin/settings-texts.ts";
import { AppShell } from "../features/shell/components/app-shell.tsx";
import { navRow } from "../components/ui/nav-row.ts";
import { Sidebar, sideLabel } from "../features/shell/components/sidebar.tsx";
import { toggleSidebar } from "../features/shell/state/sidebar.ts";
import { useRights } from "../lib/current-user.ts";
import { useShortcuts } from "../lib/keyboard.ts";
import { mayOpen, settingsGroups } from "./-settings-pages.ts";
import { UserFoot } from "./-user-foot.tsx";

/** The settings layout: a sidebar with the pages this user may open. */
export function SettingsShell() {
  const { t } = useTranslation("settings");
  const rights = useRights();
  useShortcuts(useMemo(() => [{ key: "b", run: toggleSidebar }], []));
  return (
    <AppShell
      sidebar={
        <Sidebar
          label={t("title")}
          head={
            <Link className={navRow} to="/">
              <ArrowLeft className="rtl:-scale-x-100" />
              <span>{t("back")}</span>
            </Link>
          }
          foot={<UserFoot settings={false} />}
        >
          {settingsGroups.map(({ group, links }) => {
            const shown = links.filter((link) => mayOpen(link, rights));
            return (
              shown.length > 0 && (
                <div key={group} role="group" aria-label={t(group)}>
                  <div className={sideLabel} aria-hidden="true">
                    <span>{t(group)}</span>
                  </div>
                  {shown.map(({ page, to, icon: Icon }) => (
                    <Link
                      key={page}
                      className={navRow}
                      to={to}
                      activeProps={{ "aria-current": "page" }}
                    >
                      <Icon aria-hidden="true" />
                      {t(`page.${page}`)}
                    </Link>
                  ))}
                </div>
              )
            );
          })}
        </Sidebar>
      }
    >
      <Outlet />
    </AppShell>
  );
}
