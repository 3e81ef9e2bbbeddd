import type { QueryKey } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  type ComponentType,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";
import { useAccessChanges } from "../../../lib/access-changes.ts";
import { invalidateBranding } from "../../../lib/brand.ts";
import { onChange } from "../../../lib/changes.ts";
import { useFirstUse } from "../../../lib/first-use.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { instanceKeys, modelKeys } from "../../../lib/query-keys.ts";
import { closeSheet, useSidebar } from "../state/sidebar.ts";

/**
 * Loaded after the first view, while the server can be reached; without it, the page still works.
 */
const ConnectionNotice = lazy<ComponentType>(() =>
  import("./connection-notice.tsx").then(
    (module) => ({ default: module.ConnectionNotice }),
    () => ({ default: () => null }),
  ),
);

/** Queries to refetch after a change of the instance, by its type. */
const instanceQueries: Partial<Record<string, readonly QueryKey[]>> = {
  "branding.changed": [instanceKeys.branding, instanceKeys.welcomeMessages],
  "settings.changed": [
    instanceKeys.providers,
    instanceKeys.memberRights,
    modelKeys.all,
    instanceKeys.setup,
    instanceKeys.defaultPrompt,
  ],
};

/** The app frame: sidebar and main column. On phones the sidebar becomes a sheet. */
export function AppShell({ sidebar, children }: { sidebar: ReactNode; children: ReactNode }) {
  const { t } = useTranslation("shell");
  const { shown, sheet } = useSidebar();
  const isUsed = useFirstUse();
  useAccessChanges();
  useEffect(
    () =>
      onChange(({ type }) => {
        if (type === "branding.changed") invalidateBranding();
        for (const queryKey of instanceQueries[type] ?? [])
          void queryClient.invalidateQueries({ queryKey });
      }),
    [],
  );
  const path = useRouterState({ select: (state) => state.location.pathname });
  // Before the page is painted: after that, the user may have opened it again.
  useLayoutEffect(closeSheet, [path]);
  useLayoutEffect(() => {
    if (!sheet) return;
    const listener = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && !event.defaultPrevented) closeSheet();
    }; // dialogs and menus above handle Escape themselves
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [sheet]);
  return (
    <div
      className="group/app grid h-dvh grid-cols-1 overflow-hidden md:data-[sidebar=shown]:grid-cols-[var(--size-sidebar)_minmax(0,1fr)] md:max-lg:has-[>[data-panel]]:grid-cols-[minmax(0,1fr)_420px]! lg:data-[sidebar=hidden]:has-[>[data-panel]]:grid-cols-[minmax(0,1fr)_var(--size-panel)] lg:data-[sidebar=shown]:has-[>[data-panel]]:grid-cols-[var(--size-sidebar)_minmax(0,1fr)_var(--size-panel)]"
      data-sidebar={shown ? "shown" : "hidden"}
      data-sheet={sheet ? "nav" : undefined}
    >
      <a
        className="absolute start-2 -top-15 z-(--layer-toast) rounded-sm bg-overlay px-3 py-2 focus:top-2"
        href="#main"
      >
        {t("skip")}
      </a>
      {isUsed && (
        <Suspense>
          <ConnectionNotice />
        </Suspense>
      )}
      {sidebar}
      <button
        type="button"
        className="fixed inset-0 z-[calc(var(--layer-sheet)-1)] hidden bg-scrim max-md:group-data-[sheet=nav]/app:block"
        aria-label={t("closeSidebar")}
        onClick={closeSheet}
      />
      {children}
    </div>
  );
}
