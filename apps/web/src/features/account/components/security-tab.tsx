import type { UserWire } from "@carrel/contracts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
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
    <div className="grid gap-5 [&>section+section]:border-t [&>section+section]:border-subtle [&>section+section]:pt-5">
      <SecondFactor enabled={user.secondFactor} onRecoveryCodes={setCodes} />
      <section className="grid content-start gap-4" aria-labelledby="codes-title">
        <div className="flex items-start justify-between gap-4">
          <div>
            <h3 className="font-medium" id="codes-title">
              {t("codes.title")}
            </h3>
            <p className="text-fg-3">{t("codes.text")}</p>
          </div>
          {!renewing && (
            <Button className="max-md:min-h-11" onClick={() => setRenewing(true)}>
              {t("codes.renew")}
            </Button>
          )}
        </div>
        {renewing && (
          <>
            <p className="text-fg-3">{t("codes.renewHelp")}</p>
            <PasswordPrompt
              asksCode={user.secondFactor}
              action={t("codes.renew")}
              onCancel={() => setRenewing(false)}
              onProof={async (proof) => {
                setCodes(await renew.mutateAsync(proof));
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
