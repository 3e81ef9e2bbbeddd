import { createFileRoute } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { SecuritySettings } from "../features/admin/components/security-settings.tsx";
import type { AdminCredentials } from "../features/admin/components/user-accounts-form.tsx";
import { requireManager } from "../features/auth/api/auth-state.ts";
import { requestSession, signIn, storeSession } from "../features/auth/api/sign-in.ts";
import { lazyPart } from "../lib/lazy-part.ts";
import { clearSession } from "../lib/session-storage.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

const RecoveryCodesDialog = lazyPart(() => import("../components/recovery-codes-dialog.tsx"));

export const Route = createFileRoute("/settings/security")({
  beforeLoad: requireManager,
  component: Security,
});

function Security() {
  const [codes, setCodes] = useState<string[]>([]);
  // Switching ends the old session, so store the new one right away; its recovery codes are shown
  // over the page.
  const enter = async (credentials: AdminCredentials): Promise<void> => {
    const outcome = await requestSession(credentials);
    // A new account has no second factor.
    if (outcome.codeNeeded) throw new Error("a code is needed");
    storeSession(outcome.session);
    setCodes(outcome.recoveryCodes);
  };
  return (
    <SettingsFrame page="security">
      <SecuritySettings onSet={signIn} onRemoved={clearSession} onEnabled={enter} />
      {codes.length > 0 && (
        <Suspense>
          <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />
        </Suspense>
      )}
    </SettingsFrame>
  );
}
