import { startOpenId } from "@carrel/contracts";
import { KeyRound } from "lucide-react";
import { Suspense, lazy, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { buttonStyles } from "../../../components/ui/button.tsx";
import { addressOf } from "../../../lib/address.ts";
import type { SignInOptions } from "../api/auth-state.ts";
import type { NewSession } from "../api/sign-in.ts";
import { AuthFrame } from "./auth-frame.tsx";
import { LoginForm, type Step } from "./login-form.tsx";

/** The URL that signs in through the provider and then returns to `redirectTo`. */
const openIdAddress = (redirectTo: string): string => addressOf(startOpenId, { redirectTo }).url;

const RecoverForm = lazy(async () => ({
  default: (await import("./recovery-forms.tsx")).RecoverForm,
}));
const ResetForm = lazy(async () => ({ default: (await import("./recovery-forms.tsx")).ResetForm }));
const RecoveryCodesDialog = lazy(() => import("../../../components/recovery-codes-dialog.tsx"));

/**
 * Sign-in with the method that the instance requires, and the link to reset a password. `onSession`
 * receives a session that is not stored yet.
 */
export function LoginPage({
  signInOptions,
  name,
  logo,
  redirectTo,
  onSession,
}: {
  signInOptions: SignInOptions;
  name?: string | null;
  logo?: ReactNode;
  redirectTo: string;
  onSession: (session: NewSession) => void;
}) {
  const { t } = useTranslation("auth");
  const [view, setView] = useState<Step | "recover" | "reset">("credentials");
  const [username, setUsername] = useState("");
  const [fresh, setFresh] = useState<{ session: NewSession; codes: string[] } | null>(null);
  const { multiUser, openIdName, noLogin } = signInOptions;
  const show = (next: typeof view, who: string): void => {
    setView(next);
    setUsername(who);
  };
  const openId = openIdName !== null && (
    <a
      className={buttonStyles({ size: "lg", className: "w-full" })}
      href={openIdAddress(redirectTo)}
    >
      <KeyRound aria-hidden="true" />
      {t("continueWith", { name: openIdName })}
    </a>
  );

  if (noLogin)
    return (
      <AuthFrame title={t("title")} sentence={name} logo={logo}>
        <p className="text-fg-2">{openId ? t("noLoginOpenId") : t("noLogin")}</p>
        {openId}
      </AuthFrame>
    );
  if (view === "recover") {
    return (
      <AuthFrame title={t("recover.title")} sentence={t("recover.sentence")} logo={logo}>
        <Suspense>
          <RecoverForm
            username={username}
            onRecovered={(who) => show("reset", who)}
            onBack={(who) => show("credentials", who)}
          />
        </Suspense>
      </AuthFrame>
    );
  }
  if (view === "reset") {
    return (
      <AuthFrame title={t("reset.title")} sentence={t("reset.sentence")} logo={logo}>
        <Suspense>
          <ResetForm username={username} onDone={() => show("credentials", username)} />
        </Suspense>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title={view === "code" ? t("code.title") : t("title")}
      sentence={
        view === "code"
          ? t("code.sentence", { username })
          : (name ?? (multiUser ? t("sentenceAccounts") : t("sentence")))
      }
      logo={logo}
    >
      <LoginForm
        multiUser={multiUser}
        username={username}
        step={view}
        onStep={show}
        onForgot={(who) => show("recover", who)}
        onSession={(session, codes) => {
          if (codes.length > 0) setFresh({ session, codes });
          else onSession(session);
        }}
      />
      {view === "credentials" && openId && (
        <>
          <div className="flex items-center gap-3 text-xs/5 text-fg-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            {t("or")}
          </div>
          {openId}
        </>
      )}
      {view === "credentials" && (
        <p className="text-fg-3 text-center text-balance">
          {multiUser ? t("noAccount") : t("forgotten")}
        </p>
      )}
      {fresh && (
        <Suspense>
          <RecoveryCodesDialog codes={fresh.codes} onClose={() => onSession(fresh.session)} />
        </Suspense>
      )}
    </AuthFrame>
  );
}
