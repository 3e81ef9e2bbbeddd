import { Link } from "@tanstack/react-router";
import { Suspense, useState, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { isUnreachable } from "../../../lib/api.ts";
import {
  nameFault,
  passwordFault,
  usePasswordRule,
  type CredentialFault,
} from "../../../lib/credential-rules.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useAcceptInvite, useRequestSession, type NewSession } from "../api/sign-in.ts";
import { AuthFrame } from "./auth-frame.tsx";

const RecoveryCodesDialog = lazyPart(() => import("../../../components/recovery-codes-dialog.tsx"));

/**
 * Creates an account by invitation and signs in. `refusal` says why the invitation cannot be used;
 * null if it can.
 */
export function InvitePage({
  code,
  refusal,
  logo,
  onSession,
  onCreated,
}: {
  code: string;
  refusal: string | null;
  logo?: ReactNode;
  onSession: (session: NewSession) => void;
  /** The account was created, but signing in failed. */
  onCreated: () => void;
}) {
  const { t } = useTranslation(["auth", "common"]);
  const passwordRule = usePasswordRule();
  const acceptInvite = useAcceptInvite();
  const signIn = useRequestSession();
  const problem =
    acceptInvite.error &&
    t("error", {
      message: isUnreachable(acceptInvite.error) ? t("noAnswer") : acceptInvite.error.message,
    });
  const clearError = (): void => {
    if (acceptInvite.isError) acceptInvite.reset();
  };
  const busy = acceptInvite.isPending || signIn.isPending;
  const [fresh, setFresh] = useState<{ session: NewSession; codes: string[] } | null>(null);
  const {
    register,
    handleSubmit,
    formState: { errors },
  } = useForm({ mode: "onTouched", defaultValues: { username: "", password: "" } });
  const signInAs = (username: string, password: string): void =>
    signIn.mutate(
      { username, password },
      {
        onSuccess: (outcome) => {
          if (outcome.codeNeeded) onCreated();
          else if (outcome.recoveryCodes.length > 0)
            setFresh({ session: outcome.session, codes: outcome.recoveryCodes });
          else onSession(outcome.session);
        },
        onError: onCreated,
      },
    );
  const submit = handleSubmit(({ username, password }) =>
    acceptInvite.mutate(
      { code, username, password },
      { onSuccess: () => signInAs(username, password) },
    ),
  );
  if (refusal !== null) {
    return (
      <AuthFrame title={t("invite.invalid")} sentence={refusal} logo={logo}>
        <p className="text-fg-2">{t("invite.invalidHelp")}</p>
        <Link className={buttonStyles({ size: "lg", className: "w-full" })} to="/login">
          {t("invite.toLogin")}
        </Link>
      </AuthFrame>
    );
  }
  const words = (fault: { message?: string } | undefined): string | undefined =>
    fault && t(`common:credential.${fault.message as CredentialFault}`);
  return (
    <AuthFrame title={t("invite.title")} sentence={t("invite.sentence")} logo={logo}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          height="lg"
          label={t("username")}
          help={t("invite.usernameHelp")}
          problem={words(errors.username)}
          autoComplete="username"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          {...register("username", {
            validate: (value) => nameFault(value) ?? true,
            onChange: clearError,
          })}
        />
        <TextField
          height="lg"
          label={t("password")}
          type="password"
          help={passwordRule}
          problem={words(errors.password)}
          autoComplete="new-password"
          {...register("password", {
            validate: (value) => passwordFault(value) ?? true,
            onChange: clearError,
          })}
        />
        {problem && (
          <Notice kind="bad">
            <p>{problem}</p>
          </Notice>
        )}
        <Button type="submit" variant="primary" size="lg" className="w-full" disabled={busy}>
          {busy ? t("validating") : t("invite.submit")}
        </Button>
      </form>
      {fresh && (
        <Suspense>
          <RecoveryCodesDialog codes={fresh.codes} onClose={() => onSession(fresh.session)} />
        </Suspense>
      )}
    </AuthFrame>
  );
}
