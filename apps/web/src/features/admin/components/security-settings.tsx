import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { cn } from "../../../lib/cn.ts";
import { PageBody, settingsColumn } from "../../../components/ui/page-body.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { useCurrentUser, useRights } from "../../../lib/current-user.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { InstancePasswordForm } from "./instance-password-form.tsx";
import { MemberRightSwitches } from "./member-right-switches.tsx";
import { SettingsBoundary } from "./settings-boundary.tsx";
import { UserAccountsForm, type AdminCredentials } from "./user-accounts-form.tsx";

interface SecurityProps {
  onSet: (password: string) => Promise<void>;
  onRemoved: () => void;
  onEnabled: (credentials: AdminCredentials) => Promise<void>;
}

/**
 * Who can open the instance: anyone, anyone with its password, or only people with an account.
 * `onSet` signs this browser in with the new password, `onEnabled` with the new account; both throw
 * an error whose message is shown.
 */
export function SecuritySettings(props: SecurityProps) {
  return (
    <SettingsBoundary>
      <Access {...props} />
    </SettingsBoundary>
  );
}

function Access({ onSet, onRemoved, onEnabled }: SecurityProps) {
  const { t } = useTranslation("settings");
  const setup = useSuspenseQuery(setupQuery);
  const user = useCurrentUser();
  const { admin } = useRights();
  const signIn = useMutation({
    mutationFn: onEnabled,
    onSettled: () => void setup.refetch(),
    gcTime: 0,
    meta: { errorToast: false },
  });
  // The switch succeeded; only the sign-in that follows it failed.
  if (signIn.error)
    return (
      <PageBody>
        <div className={cn(settingsColumn, "gap-5")}>
          <Notice
            kind="warn"
            action={
              <Link className={buttonStyles({ size: "sm" })} to="/login" search={{ nt: 1 }}>
                {t("signInNow")}
              </Link>
            }
          >
            <p>{t("accountsSignIn", { message: signIn.error.message })}</p>
          </Notice>
        </div>
      </PageBody>
    );
  if (user || setup.data.MultiUserMode === true) {
    return (
      <PageBody>
        <div className={cn(settingsColumn, "gap-5")}>
          {signIn.isSuccess && user ? (
            <div role="status">
              <Notice kind="info">
                <p>
                  <b>{t("accountsChanged", { name: user.username })}</b> {t("accountsChangedText")}
                </p>
              </Notice>
            </div>
          ) : (
            <Notice kind="info">
              <p>
                <b>{t("accountsOn")}</b> {t("accountsOnText")}
              </p>
            </Notice>
          )}
          <div className="flex items-center gap-2">
            <Link className={buttonStyles()} to="/settings/users">
              {t("toUsers")}
            </Link>
            <Link className={buttonStyles()} to="/settings/invites">
              {t("toInvites")}
            </Link>
          </div>
          {admin && <MemberRightSwitches saved={setup.data} />}
        </div>
      </PageBody>
    );
  }
  const isProtected = setup.data.RequiresAuth === true;
  return (
    <PageBody>
      <div className={cn(settingsColumn, "gap-8")}>
        <InstancePasswordForm
          isProtected={isProtected}
          onSet={async (password) => {
            await onSet(password);
            await setup.refetch();
          }}
          onRemoved={async () => {
            onRemoved();
            await setup.refetch();
          }}
        />
        <UserAccountsForm isProtected={isProtected} onEnabled={signIn.mutateAsync} />
      </div>
    </PageBody>
  );
}
