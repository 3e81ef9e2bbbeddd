import { Suspense, lazy, useEffect, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/ui/notice.tsx";
import { CredentialField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import {
  nameFault,
  passwordFault,
  useEnableUserAccounts,
  usePasswordRule,
} from "../../../lib/credential-rules.ts";
import { errorMessage } from "../../../lib/fault.ts";
import type { FormState } from "./just-me-form.tsx";

const RecoveryCodesDialog = lazy(() => import("../../../components/recovery-codes-dialog.tsx"));

export interface AdminCredentials {
  username: string;
  password: string;
}

/** Creates the first admin, which switches the instance to user accounts, and signs them in. */
export function TeamForm({
  id,
  onState,
  onAdmin,
  onUnsigned,
  onDone,
}: {
  id: string;
  onState: (state: FormState) => void;
  /** Returns the recovery codes of the first sign-in. */
  onAdmin: (credentials: AdminCredentials) => Promise<string[]>;
  /** The account exists, but signing in to it failed, with this message. */
  onUnsigned: (message: string) => void;
  onDone: () => void;
}) {
  const { t } = useTranslation(["onboarding", "common", "settings"]);
  const passwordRule = usePasswordRule();
  const enable = useEnableUserAccounts();
  const [credentials, setCredentials] = useState<AdminCredentials>({ username: "", password: "" });
  const [isBusy, setBusy] = useState(false);
  const [codes, setCodes] = useState<string[]>([]);
  const faults = {
    username: nameFault(credentials.username, { firstAdmin: true }),
    password: passwordFault(credentials.password),
  };
  const isComplete =
    faults.username !== "nameShortFirstAdmin" && faults.password !== "passwordShort";
  useEffect(() => onState({ isComplete, isBusy }), [onState, isComplete, isBusy]);
  const create = async (): Promise<void> => {
    await enable.mutateAsync(credentials);
    try {
      const issued = await onAdmin(credentials);
      if (issued.length === 0) onDone();
      else setCodes(issued);
    } catch (error) {
      onUnsigned(errorMessage(error));
    }
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy || faults.username || faults.password) return;
    setBusy(true);
    void replaceSession(create)
      .catch(() => undefined) // shown below
      .finally(() => setBusy(false));
  };
  const type = (part: Partial<AdminCredentials>): void => {
    setCredentials({ ...credentials, ...part });
    if (enable.isError) enable.reset();
  };
  return (
    <form id={id} className="grid grid-cols-1 gap-5" onSubmit={onSubmit} noValidate>
      <p className="text-fg-2">{t("people.adminSentence")}</p>
      <CredentialField
        label={t("settings:adminName")}
        help={t("people.nameHelp")}
        fault={faults.username}
        autoFocus
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        dir="ltr"
        value={credentials.username}
        onChange={(event) => type({ username: event.target.value })}
      />
      <CredentialField
        label={t("settings:adminPassword")}
        type="password"
        autoComplete="new-password"
        help={`${passwordRule} ${t("people.adminHelp")}`}
        fault={faults.password}
        value={credentials.password}
        onChange={(event) => type({ password: event.target.value })}
      />
      {codes.length > 0 && (
        <Suspense>
          <RecoveryCodesDialog codes={codes} onClose={onDone} />
        </Suspense>
      )}
      {enable.error && (
        <Notice kind="bad">
          <p>{t("people.teamFailed", { message: enable.error.message })}</p>
        </Notice>
      )}
    </form>
  );
}
