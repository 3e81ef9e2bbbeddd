import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { onChange } from "./changes.ts";
import { readCurrentUser, refreshCurrentUser } from "./current-user.ts";
import { queryClient } from "./query-client.ts";
import { documentKeys, instanceKeys, workspaceKeys } from "./query-keys.ts";

/**
 * Follows changes to the signed-in user's role, suspension, name and memberships. Re-runs the route
 * guards, so that the user leaves pages they may no longer see.
 */
export function useAccessChanges(): void {
  const router = useRouter();
  useEffect(
    () =>
      onChange((frame) => {
        // The account on this device may be older than the page; see session-check.ts.
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
