import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleUserRound, LifeBuoy, LogOut, Moon, Sun, UserRound } from "lucide-react";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Menu } from "../../../components/ui/menu.tsx";
import type { MenuItem } from "../../../components/ui/menu-item.ts";
import { onChange } from "../../../lib/changes.ts";
import { useCurrentUser } from "../../../lib/current-user.ts";
import { useFirstUse } from "../../../lib/first-use.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { defaultSupport, clearSupportCache, supportKeys, supportQuery } from "../api/support.ts";
import { closeAccount, openAccount, useAccountTab } from "../state/account-request.ts";
import { UserAvatar } from "./user-avatar.tsx";

const AccountDialog = lazy(() => import("./account-dialog.tsx"));

/**
 * Account (in multi-user mode), support, theme, sign out. `onSignOut` is null without a session.
 */
export function UserMenu({ onSignOut }: { onSignOut: (() => void) | null }) {
  const { t } = useTranslation("shell");
  const user = useCurrentUser();
  const theme = useTheme();
  const client = useQueryClient();
  const support = useQuery({ ...supportQuery, enabled: useFirstUse() });
  const tab = useAccountTab();
  useEffect(
    () =>
      onChange((frame) => {
        if (frame.type !== "branding.changed") return;
        clearSupportCache();
        void client.invalidateQueries({ queryKey: supportKeys.email });
      }),
    [client],
  );
  // Whoever signs in next in this tab must not find the dialog open.
  useEffect(() => closeAccount, []);
  const address = support.isSuccess ? (support.data ?? defaultSupport(location.hostname)) : null;
  const light = theme === "light";
  const items: MenuItem[] = [
    ...(user ? [{ label: t("account"), icon: UserRound, run: () => openAccount("profile") }] : []),
    ...(address
      ? [
          {
            label: t("support"),
            icon: LifeBuoy,
            run: () => {
              location.href = `mailto:${address}`;
            },
          },
        ]
      : []),
    {
      label: light ? t("dark") : t("light"),
      icon: light ? Moon : Sun,
      run: () => chooseTheme(light ? "default" : "light"),
    },
    ...(onSignOut ? [{ label: t("signOut"), icon: LogOut, run: onSignOut }] : []),
  ];
  return (
    <>
      <Menu
        items={items}
        trigger={
          user ? (
            <button
              type="button"
              className="flex min-w-0 flex-1 items-center gap-2 rounded-sm px-2 py-1.5 hover:bg-hover max-md:min-h-10"
            >
              <UserAvatar user={user} />
              <span className="sr-only">{t("userMenuOf", { name: user.username })}</span>
              <span className="truncate" aria-hidden="true">
                {user.username}
              </span>
            </button>
          ) : (
            <IconButton label={t("userMenu")}>
              <CircleUserRound />
            </IconButton>
          )
        }
      />
      {tab && user && (
        <Suspense>
          <AccountDialog user={user} tab={tab} onClose={closeAccount} />
        </Suspense>
      )}
    </>
  );
}
