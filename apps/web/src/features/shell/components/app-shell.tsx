import type { ChangeFrame } from "@carrel/contracts";
import type { QueryKey } from "@tanstack/react-query";
import { useRouter, useRouterState } from "@tanstack/react-router";
import { Suspense, useEffect, useLayoutEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { invalidateBranding } from "../../../lib/brand.ts";
import { onChange } from "../../../lib/changes.ts";
import { readCurrentUser, refreshCurrentUser } from "../../../lib/current-user.ts";
import { useFirstUse } from "../../../lib/first-use.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { queryClient } from "../../../lib/query-client.ts";
import { documentKeys, instanceKeys, modelKeys, workspaceKeys } from "../../../lib/query-keys.ts";
import { closeSheet, useSidebar } from "./sidebar.tsx";

// Loaded after the first view, while the server can be reached.
const ConnectionNotice = lazyPart(async () => ({
  default: (await import("./connection-notice.tsx")).ConnectionNotice,
}));

const OperatorNotice = lazyPart(async () => ({
  default: (await import("./operator-notice.tsx")).OperatorNotice,
}));

const announceModel = async (
  frame: Extract<ChangeFrame, { type: "local-models.changed" }>,
): Promise<void> => (await import("../state/announce-model.ts")).announceModel(frame);

/** Queries to refetch after a change of the instance, by its type. */
const instanceQueries: Partial<Record<string, readonly QueryKey[]>> = {
  "branding.changed": [instanceKeys.branding, instanceKeys.welcomeMessages],
  "local-models.changed": [instanceKeys.localModels],
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
      onChange((frame) => {
        const { type } = frame;
        if (type === "branding.changed") invalidateBranding();
        if (type === "local-models.changed") void announceModel(frame);
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
        data-skip-link
        className="absolute start-2 -top-15 z-(--layer-toast) rounded-sm bg-overlay px-3 py-2 focus:top-2"
        href="#main"
      >
        {t("skip")}
      </a>
      {isUsed && (
        <Suspense>
          <ConnectionNotice />
          <OperatorNotice />
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

/**
 * Follows changes to the signed-in user's role, suspension, name and memberships. Re-runs the route
 * guards, so that the user leaves pages they may no longer see.
 */
function useAccessChanges(): void {
  const router = useRouter();
  useEffect(
    () =>
      onChange((frame) => {
        // The account on this device may be older than the page; see `needsCheck`.
        if (frame.type === "complete") {
          const role = readCurrentUser()?.role;
          if (role === undefined) return;
          void refreshCurrentUser()
            .then((isKnown) => {
              if (!isKnown) return router.navigate({ to: "/login", search: { nt: 1 } });
              return role === readCurrentUser()?.role ? undefined : router.invalidate();
            })
            .catch(() => undefined);
          return;
        }
        // Changes may have been missed while disconnected.
        const missed = frame.type === "connected" || frame.type === "reconnected";
        if (
          !missed &&
          frame.type !== "access.changed" &&
          frame.type !== "workspace-members.changed"
        )
          return;
        const again = async (): Promise<void> => {
          const before = [readCurrentUser()?.role, queryClient.getQueryData(workspaceKeys.list)];
          // Without accounts this means the password changed: this tab is already signing in with
          // the new one, and other tabs must at their next request.
          if (readCurrentUser() === null && !missed) return;
          if (
            readCurrentUser() !== null &&
            frame.type !== "workspace-members.changed" &&
            !(await refreshCurrentUser())
          )
            return router.navigate({ to: "/login", search: { nt: 1 } });
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: workspaceKeys.list }),
            queryClient.invalidateQueries({ queryKey: documentKeys.counts }),
            queryClient.invalidateQueries({ queryKey: instanceKeys.memberRights }),
          ]);
          if (
            missed &&
            before[0] === readCurrentUser()?.role &&
            before[1] === queryClient.getQueryData(workspaceKeys.list)
          )
            return;
          await router.invalidate();
        };
        // A 401 leads to sign-in; if there is no reply, the page shows the error itself.
        void again().catch(() => undefined);
      }),
    [router],
  );
}
