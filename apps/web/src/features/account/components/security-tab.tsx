import type { UserWire } from "@carrel/contracts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import RecoveryCodesDialog from "../../../components/recovery-codes-dialog.tsx";
import { useRenewRecoveryCodes } from "../api/security.ts";
import { PasswordPrompt } from "./password-prompt.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { SessionList } from "./session-list.tsx";

/** Second factor, recovery codes, sessions. */
export function SecurityTab({ user }: { user: UserWire }) {
  const { t } = useTranslation("account");
  const renew = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [renewing, setRenewing] = useState(false);
  return (
    <div className="account-sections">
      <SecondFactor enabled={user.secondFactor} onRecoveryCodes={setCodes} />
      <section className="account-rows" aria-labelledby="codes-title">
        <div className="account-line">
          <div>
            <h3 id="codes-title">{t("codes.title")}</h3>
            <p className="t3">{t("codes.text")}</p>
          </div>
          {!renewing && (
            <button type="button" className="btn" onClick={() => setRenewing(true)}>
              {t("codes.renew")}
            </button>
          )}
        </div>
        {renewing && (
          <>
            <p className="t3">{t("codes.renewHelp")}</p>
            <PasswordPrompt
              action={t("codes.renew")}
              onCancel={() => setRenewing(false)}
              onPassword={async (password) => {
                setCodes(await renew.mutateAsync(password));
                setRenewing(false);
              }}
            />
          </>
        )}
      </section>
      <SessionList />
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />}
    </div>
  );
}
