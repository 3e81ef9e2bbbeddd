import { useRouter } from "@tanstack/react-router";
import { lazy, Suspense, useCallback, type ReactNode } from "react";
import { UserMenu } from "../features/account/components/user-menu.tsx";
import { signOut } from "../features/auth/api/sign-in.ts";
import { SettingsLink, SidebarFoot } from "../features/shell/components/sidebar.tsx";
import { useCurrentUser, useRights } from "../lib/current-user.ts";
import { queryClient } from "../lib/query-client.ts";
import { readToken } from "../lib/session-storage.ts";

/** Links of the instance come after the page: nothing of it waits for them. */
const FooterLinks = lazy(() =>
  new Promise((resolve) => {
    setTimeout(resolve, 800);
  }).then(() => import("../features/branding/components/footer-links.tsx")),
);

/**
 * The foot of every sidebar: links of the instance, the user's menu, and the way to the settings
 * for those who have any.
 */
export function UserFoot({ queue, settings = true }: { queue?: ReactNode; settings?: boolean }) {
  const router = useRouter();
  const user = useCurrentUser();
  const { manager } = useRights();
  const leave = useCallback(() => {
    // Emptied only once the page is left: what is still drawn would ask anew, without a session.
    void signOut(() => router.navigate({ to: "/" })).finally(() => queryClient.clear());
  }, [router]);
  const link = settings && manager && <SettingsLink small={user !== null} />;
  const menu = <UserMenu onSignOut={readToken() ? leave : null} />;
  return (
    <SidebarFoot
      queue={
        <>
          {queue}
          <Suspense>
            <FooterLinks />
          </Suspense>
        </>
      }
    >
      {user ? (
        <>
          {menu}
          {link}
        </>
      ) : (
        <>
          {link || <span className="grow" />}
          {menu}
        </>
      )}
    </SidebarFoot>
  );
}
