import { useRouter } from "@tanstack/react-router";
import { useCallback, type ReactNode } from "react";
import { UserMenu } from "../features/account/components/user-menu.tsx";
import { signOut } from "../features/auth/api/sign-in.ts";
import { FooterLinks } from "../features/branding/components/footer-links.tsx";
import { NoticesButton } from "../features/notices/components/notices-button.tsx";
import { SettingsLink, SidebarFoot } from "../features/shell/components/sidebar.tsx";
import { useCurrentUser, useRights } from "../lib/current-user.ts";
import { queryClient } from "../lib/query-client.ts";
import { readToken } from "../lib/session-storage.ts";

/**
 * The bottom of every sidebar: footer links, the user menu, notices, and settings for those who have access.
 */
export function UserFoot({ queue, settings = true }: { queue?: ReactNode; settings?: boolean }) {
  const router = useRouter();
  const user = useCurrentUser();
  const { manager } = useRights();
  const leave = useCallback(() => {
    // Clear the session only after navigating away: components still on the page would refetch
    // without one.
    void signOut(() => router.navigate({ to: "/" })).finally(() => queryClient.clear());
  }, [router]);
  const link = settings && manager && <SettingsLink small={user !== null} />;
  const menu = <UserMenu onSignOut={readToken() ? leave : null} />;
  return (
    <SidebarFoot
      queue={
        <>
          {queue}
          <FooterLinks />
        </>
      }
    >
      {user ? (
        <>
          {menu}
          <NoticesButton />
          {link}
        </>
      ) : (
        <>
          {link || <span className="min-w-0 flex-1" />}
          <NoticesButton />
          {menu}
        </>
      )}
    </SidebarFoot>
  );
}
