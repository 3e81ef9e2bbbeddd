import { memberRightLabels, threadModelsLabel } from "@carrel/contracts";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { FormSection, PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { SwitchLine } from "../../../components/ui/switch-line.tsx";
import { CredentialField, TextField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { isProofFault, passwordFault, useSetPassword } from "../../../lib/credential-rules.ts";
import { useCurrentUser, useRights } from "../../../lib/current-user.ts";
import { sentenceSpace } from "../../../lib/format.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { toast } from "../../../lib/toast.ts";
import { SettingsBoundary, switchNames, useSwitchPreference } from "./settings-page.tsx";
import { UserAccountsForm, type AdminCredentials } from "./user-accounts-form.tsx";

const switches = {
  createWorkspaces: memberRightLabels.createWorkspaces,
  uploadDocuments: memberRightLabels.uploadDocuments,
  chooseModels: threadModelsLabel,
} as const;
type Name = keyof typeof switches;
const names = Object.keys(switches) as Name[];

/** What members may do in addition to asking questions. Switches apply immediately. */
function MemberRightSwitches({ saved }: { saved: Record<string, unknown> }) {
  const { t } = useTranslation("settings");
  const save = useSwitchPreference();
  const change = (right: Name, on: boolean): void => {
    const name = switches[right];
    save.mutate(
      { name, on },
      {
        onSuccess: () =>
          toast.success(t(`members.${right}.${on ? "on" : "off"}`), () =>
            save.mutate({ name, on: !on }),
          ),
      },
    );
  };
  return (
    <section className="grid gap-5" aria-labelledby="member-rights">
      <div>
        <h2 id="member-rights" className="text-md font-semibold">
          {t("members.title")}
        </h2>
        <p className="text-pretty text-fg-2">{t("members.help")}</p>
      </div>
      {names.map((right) => (
        <SwitchLine
          key={right}
          label={t(`members.${right}.label`)}
          help={t(`members.${right}.help`)}
          on={saved[switchNames[switches[right]]] === true}
          busy={save.isPending}
          onChange={(on) => change(right, on)}
        />
      ))}
    </section>
  );
}

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
                  <b>{t("accountsChanged", { name: user.username })}</b>
                  {sentenceSpace()}
                  {t("accountsChangedText")}
                </p>
              </Notice>
            </div>
          ) : (
            <Notice kind="info">
              <p>
                <b>{t("accountsOn")}</b>
                {sentenceSpace()}
                {t("accountsOnText")}
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

/** Sets, changes or removes the instance password. */
function InstancePasswordForm({
  isProtected,
  onSet,
  onRemoved,
}: {
  isProtected: boolean;
  onSet: (password: string) => Promise<void>;
  onRemoved: () => Promise<void>;
}) {
  const { t } = useTranslation(["settings", "common"]);
  const [password, setPassword] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const fault = passwordFault(password);
  const [isChecked, setChecked] = useState(false);
  const [removing, setRemoving] = useState(false);
  const save = useSetPassword();
  const failed = (message: string): string => t("passwordFailed", { message });
  const { submit, busy, error, clearError } = useSubmission((typed: string) =>
    replaceSession(async () => {
      await save.mutateAsync({ newPassword: typed, currentPassword });
      await onSet(typed);
    }),
  );
  const removal = useMutation({
    mutationFn: async () => {
      await save.mutateAsync({ newPassword: null, currentPassword });
      await onRemoved();
    },
    onSuccess: () => {
      setCurrentPassword("");
      toast.success(t("passwordRemoved"));
    },
    meta: { errorToast: failed },
  });
  const problem = error && failed(error.message);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    setChecked(true);
    if (fault) return;
    submit(password, {
      onSuccess: () => {
        setPassword("");
        setChecked(false);
        setCurrentPassword("");
        toast.success(t("passwordSaved"));
      },
    });
  };
  return (
    <FormSection title={t("passwordTitle")}>
      <form className="grid gap-5" onSubmit={onSubmit} noValidate>
        <Notice kind={isProtected ? "info" : "warn"}>
          <p>
            <b>{isProtected ? t("protected") : t("unprotected")}</b>
            {sentenceSpace()}
            {isProtected ? t("protectedHelp") : t("unprotectedHelp")}
          </p>
        </Notice>
        {isProtected && (
          <TextField
            label={t("passwordCurrent")}
            type="password"
            autoComplete="current-password"
            problem={isProofFault(error) ? problem : null}
            value={currentPassword}
            onChange={(event) => {
              setCurrentPassword(event.target.value);
              clearError();
            }}
          />
        )}
        <CredentialField
          label={isProtected ? t("passwordNew") : t("password")}
          type="password"
          autoComplete="new-password"
          help={t("passwordHelp")}
          fault={fault}
          isChecked={isChecked}
          problem={isProofFault(error) ? null : problem}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setChecked(false);
            clearError();
          }}
        />
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? t("saving") : isProtected ? t("passwordChange") : t("passwordSet")}
          </Button>
          {isProtected && <Button onClick={() => setRemoving(true)}>{t("passwordRemove")}</Button>}
        </div>
      </form>
      {removing && (
        <ConfirmDialog
          open
          title={t("passwordRemoveTitle")}
          text={t("passwordRemoveText")}
          action={t("passwordRemove")}
          onClose={() => setRemoving(false)}
          onConfirm={() => removal.mutateAsync()}
        />
      )}
    </FormSection>
  );
}
