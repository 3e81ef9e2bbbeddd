import { useRouterState } from "@tanstack/react-router";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAccessChanges } from "../../../lib/access-changes.ts";
import { brandChanged } from "../../../lib/brand.ts";
import { onChange } from "../../../lib/changes.ts";
import { closeSheet, useSidebar } from "../state/sidebar.ts";

/** The app frame: sidebar and main column. On phones the sidebar becomes a sheet. */
export function AppShell({ sidebar, children }: { sidebar: ReactNode; children: ReactNode }) {
  const { t } = useTranslation("shell");
  const { shown, sheet } = useSidebar();
  useAccessChanges();
  useEffect(
    () =>
      onChange((frame) => {
        if (frame.type === "branding.changed") brandChanged();
      }),
    [],
  );
  const path = useRouterState({ select: (state) => state.location.pathname });
  useEffect(closeSheet, [path]);
  useEffect(() => {
    if (!sheet) return;
    const listener = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented) closeSheet();
    }; // dialogs and menus above handle Escape themselves
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [sheet]);
  return (
    <div
      className="app"
      data-sidebar={shown ? "shown" : "hidden"}
      data-sheet={sheet ? "nav" : undefined}
    >
      <a className="skip" href="#main">
        {t("skip")}
      </a>
      {sidebar}
      <button type="button" className="scrim" aria-label={t("closeSidebar")} onClick={closeSheet} />
      {children}
    </div>
  );
}
