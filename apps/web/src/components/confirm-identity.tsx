import { confirmSession, type Args } from "@carrel/contracts";
import { QueryClientProvider } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { createRoot } from "react-dom/client";
import { useTranslation } from "react-i18next";
import { ApiError, call } from "../lib/api.ts";
import "../lib/auth-texts.ts";
import { readCurrentUser } from "../lib/current-user.ts";
import { queryClient, useSubmission } from "../lib/query-client.ts";
import { Button } from "./ui/button.tsx";
import { Dialog, DialogFooter } from "./ui/dialog.tsx";
import { TextField } from "./ui/text-field.tsx";

let answer: Promise<boolean> | null = null;

/**
 * Asks the user to confirm who they are; resolves to whether they did. Concurrent calls share one
 * dialog. It has its own React root, because any API call may need it.
 */
export function confirmIdentity(): Promise<boolean> {
  answer ??= new Promise<boolean>((resolve) => {
    const place = document.body.appendChild(document.createElement("div"));
    const root = createRoot(place);
    root.render(
      <QueryClientProvider client={queryClient}>
        <ConfirmIdentityDialog
          onAnswer={(isConfirmed) => {
            root.unmount();
            place.remove();
            answer = null;
            resolve(isConfirmed);
          }}
        />
      </QueryClientProvider>,
    );
  });
  return answer;
}

const isCodeFault = (error: Error | null): boolean =>
  error instanceof ApiError && error.fault?.code.startsWith("second-factor.") === true;

function ConfirmIdentityDialog({ onAnswer }: { onAnswer: (isConfirmed: boolean) => void }) {
  const { t } = useTranslation(["auth", "common"]);
  const user = readCurrentUser();
  const [proof, setProof] = useState({ password: "", code: "" });
  const { submit, busy, error, clearError } = useSubmission((typed: Args<typeof confirmSession>) =>
    call(confirmSession, typed),
  );
  const change = (field: keyof typeof proof, value: string): void => {
    setProof({ ...proof, [field]: value });
    clearError();
  };
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!busy) submit(proof, { onSuccess: () => onAnswer(true) });
  };
  return (
    <Dialog
      open
      onClose={() => onAnswer(false)}
      title={t("confirm.title")}
      description={t("confirm.text")}
      className="w-[min(440px,100vw-24px)]"
    >
      <form className="grid gap-4" onSubmit={onSubmit} noValidate>
        {user && (
          <input
            type="text"
            autoComplete="username"
            value={user.username}
            readOnly
            className="sr-only"
            tabIndex={-1}
            aria-hidden="true" /* for password managers */
          />
        )}
        <TextField
          label={t("confirm.password")}
          type="password"
          autoComplete="current-password"
          autoFocus
          value={proof.password}
          onChange={(event) => change("password", event.target.value)}
          problem={isCodeFault(error) ? null : error?.message}
        />
        {user?.secondFactor && (
          <TextField
            label={t("confirm.code")}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            value={proof.code}
            onChange={(event) => change("code", event.target.value)}
            problem={isCodeFault(error) ? error?.message : null}
          />
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={() => onAnswer(false)}>
            {t("common:cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? t("confirm.busy") : t("confirm.submit")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
