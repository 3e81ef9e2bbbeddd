import { getSupportEmail } from "@carrel/contracts";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleUserRound, LifeBuoy, LogOut, Moon, Sun, UserRound, Workflow } from "lucide-react";
import { Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/button.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { call } from "../../../lib/api.ts";
import { onChange } from "../../../lib/changes.ts";
import { useCurrentUser } from "../../../lib/current-user.ts";
import { useFirstUse } from "../../../lib/first-use.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { keys, readStored, writeStored, type StorageKey } from "../../../lib/session-storage.ts";
import { sharedFlowsQuery } from "../../../lib/shared-flows.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { closeAccount, openAccount, useAccountTab } from "../state/account-request.ts";
import { UserAvatar } from "./user-avatar.tsx";

/**
 * Reads a value stored with the time it was fetched, in the format of existing clients: `{...value,
 * lastFetched}`. Null if there is none or it is older than `lifetime` milliseconds.
 */
export function readTimed(
  key: StorageKey,
  lifetime: number,
  now = Date.now(),
): Record<string, unknown> | null {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? "null");
    if (typeof stored !== "object" || stored === null) return null;
    const { lastFetched, ...value } = stored as Record<string, unknown>;
    return typeof lastFetched === "number" && lastFetched <= now && now - lastFetched < lifetime
      ? value
      : null;
  } catch {
    return null; // not ours or truncated: fetch it again
  }
}

export const writeTimed = (
  key: StorageKey,
  value: Record<string, unknown>,
  now = Date.now(),
): void => writeStored(key, JSON.stringify({ ...value, lastFetched: now }));

/**
 * Cached for an hour (specification 1, section 9) under the storage key that existing clients use.
 */
const supportLifetime = 60 * 60 * 1000;

/**
 * The default address if none was set: `support@` the hostname (RFC 2142). Null for IP addresses
 * and single-label names, which receive no mail.
 */
export function defaultSupport(host: string): string | null {
  const name = host.toLowerCase().replace(/^www\./, "");
  return /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(name) &&
    !/\.(local|localhost|internal|lan|home\.arpa|test|invalid)$/.test(name)
    ? `support@${name}`
    : null;
}

const supportKeys = { email: ["support-email"] } as const;

const supportQuery = queryOptions({
  queryKey: supportKeys.email,
  staleTime: supportLifetime,
  queryFn: async ({ signal }): Promise<string | null> => {
    const cached = readTimed(keys.supportEmail, supportLifetime);
    if (cached && (cached.email === null || typeof cached.email === "string")) return cached.email;
    const { supportEmail } = await call(getSupportEmail, {}, { signal });
    writeTimed(keys.supportEmail, { email: supportEmail });
    return supportEmail;
  },
});

/** Invalidates the cached address after a branding change. */
const clearSupportCache = (): void => writeStored(keys.supportEmail, null);

const AccountDialog = lazyPart(() => import("./account-dialog.tsx"));

/**
 * Account (in multi-user mode), flows, support, theme, sign out. `onSignOut` is null without a session.
 */
export function UserMenu({ onSignOut }: { onSignOut: (() => void) | null }) {
  const { t } = useTranslation("shell");
  const user = useCurrentUser();
  const theme = useTheme();
  const client = useQueryClient();
  const isUsed = useFirstUse();
  const support = useQuery({ ...supportQuery, enabled: isUsed });
  const flows = useQuery({ ...sharedFlowsQuery, enabled: isUsed }).data ?? [];
  const tab = useAccountTab();
  const navigate = useNavigate();
  useEffect(
    () =>
      onChange((frame) => {
        if (frame.type !== "branding.changed") return;
        clearSupportCache();
        void client.invalidateQueries({ queryKey: supportKeys.email });
      }),
    [client],
  );
  // The next person to sign in on this tab must not find the dialog open.
  useEffect(() => closeAccount, []);
  const address = support.isSuccess ? (support.data ?? defaultSupport(location.hostname)) : null;
  const light = theme === "light";
  const items: MenuItem[] = [
    ...(user ? [{ label: t("account"), icon: UserRound, run: () => openAccount("profile") }] : []),
    ...(flows.length > 0
      ? [{ label: t("flows"), icon: Workflow, run: () => void navigate({ to: "/flows" }) }]
      : []),
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
