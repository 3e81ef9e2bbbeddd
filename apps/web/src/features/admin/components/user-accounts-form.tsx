import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { CredentialField, TextField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import {
  nameFault,
  passwordFault,
  useEnableUserAccounts,
  usePasswordRule,
} from "../../../lib/credential-rules.ts";

export interface AdminCredentials {
  username: string;
  password: string;
}

/**
 * Creates the first admin and switches the instance to user accounts, after explaining what that
 * means.
 */
export function UserAccountsForm({
  isProtected,
  onEnabled,
}: {
  /** Whether the instance has a password, which must then be entered to confirm the switch. */
  isProtected: boolean;
  onEnabled: (credentials: AdminCredentials) => Promise<void>;
}) {
  const { t } = useTranslation(["settings", "common"]);
  const passwordRule = usePasswordRule();
  const enableAccounts = useEnableUserAccounts();
  const [open, setOpen] = useState(false);
  const [credentials, setCredentials] = useState<AdminCredentials>({ username: "", password: "" });
  const [currentPassword, setCurrentPassword] = useState("");
  const [confirming, setConfirming] = useState(false);
  const [submitted, setSubmitted] = useState(false);
  // The form disappears once the accounts are enabled.
  const busy = enableAccounts.isPending || enableAccounts.isSuccess;
  const faults = {
    username: nameFault(credentials.username, { firstAdmin: true }),
    password: passwordFault(credentials.password),
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setSubmitted(true);
    if (!busy && !faults.username && !faults.password) setConfirming(true);
  };
  const enable = (): Promise<void> =>
    replaceSession(async () => {
      await enableAccounts.mutateAsync({ ...credentials, currentPassword });
      await onEnabled(credentials);
    });
  const type = (part: Partial<AdminCredentials>): void => {
    setCredentials({ ...credentials, ...part });
    if (enableAccounts.isError) enableAccounts.reset();
  };
  return (
    <FormSection title={t("accountsTitle")}>
      <p className="text-fg-2">{t("accountsText")}</p>
      {!open && (
        <div className="flex items-center gap-2">
          <Button onClick={() => setOpen(true)}>{t("accountsStart")}</Button>
        </div>
      )}
      {open && (
        <form className="grid gap-5" onSubmit={submit} noValidate>
          <Notice kind="warn">
            <ul className="grid list-disc gap-1 ps-4">
              <li>{t("accountsPoints.admin")}</li>
              <li>{t("accountsPoints.password")}</li>
              <li>
                <b>{t("accountsPoints.back")}</b>
              </li>
            </ul>
          </Notice>
          <CredentialField
            label={t("adminName")}
            help={t("adminNameHelp")}
            fault={faults.username}
            isChecked={submitted}
            autoFocus
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            dir="ltr"
            value={credentials.username}
            onChange={(event) => type({ username: event.target.value })}
          />
          <CredentialField
            label={t("adminPassword")}
            type="password"
            autoComplete="new-password"
            help={passwordRule}
            fault={faults.password}
            isChecked={submitted}
            value={credentials.password}
            onChange={(event) => type({ password: event.target.value })}
          />
          {isProtected && (
            <TextField
              label={t("passwordInstance")}
              type="password"
              autoComplete="current-password"
              value={currentPassword}
              onChange={(event) => {
                setCurrentPassword(event.target.value);
                if (enableAccounts.isError) enableAccounts.reset();
              }}
            />
          )}
          {enableAccounts.error && (
            <Notice kind="bad">
              <p>{t("accountsFailed", { message: enableAccounts.error.message })}</p>
            </Notice>
          )}
          <div className="flex items-center gap-2">
            <Button type="submit" variant="primary" disabled={busy}>
              {busy ? t("accountsSwitching") : t("accountsSwitch")}
            </Button>
            <Button variant="quiet" disabled={busy} onClick={() => setOpen(false)}>
              {t("common:cancel")}
            </Button>
          </div>
        </form>
      )}
      {confirming && (
        <ConfirmDialog
          open
          title={t("accountsTitleConfirm")}
          text={t("accountsConfirm", { name: credentials.username })}
          action={t("accountsSwitch")}
          onClose={() => setConfirming(false)}
          onConfirm={enable}
        />
      )}
    </FormSection>
  );
}
