import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { onChange } from "./changes.ts";
import { readCurrentUser, refreshCurrentUser } from "./current-user.ts";
import { queryClient } from "./query-client.ts";

/**
 * Follows what changes for the person at this browser: role, suspension, name, and the workspaces
 * one is in. The routes
 * are judged anew, so a page that one may no longer see is left, and one that came in is there.
 */
export function useAccessChanges(): void {
  const router = useRouter();
  useEffect(
    () =>
      onChange((frame) => {
        // whatever happened while nobody told it
        const missed = frame.type === "connected" || frame.type === "reconnected";
        if (
          !missed &&
          frame.type !== "access.changed" &&
          frame.type !== "workspace-members.changed"
        )
          return;
        const again = async (): Promise<void> => {
          const before = [readCurrentUser()?.role, queryClient.getQueryData(["workspaces"])];
          // Without accounts it is the password that changed: who changed it here is about to sign
          // in with the new one, others are asked at their next call.
          if (readCurrentUser() === null && !missed) return;
          if (
            readCurrentUser() !== null &&
            frame.type !== "workspace-members.changed" &&
            !(await refreshCurrentUser())
          )
            return router.navigate({ to: "/login", search: { nt: 1 } });
          await Promise.all([
            queryClient.invalidateQueries({ queryKey: ["workspaces"] }),
            queryClient.invalidateQueries({ queryKey: ["document-counts"] }),
          ]);
          if (
            missed &&
            before[0] === readCurrentUser()?.role &&
            before[1] === queryClient.getQueryData(["workspaces"])
          )
            return;
          await router.invalidate();
        };
        // a refusal leads to the sign-in by itself; no answer: the page says so
        void again().catch(() => undefined);
      }),
    [router],
  );
}
