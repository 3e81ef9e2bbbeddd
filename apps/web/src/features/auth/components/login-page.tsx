import { startOpenId } from "@carrel/contracts";
import { KeyRound } from "lucide-react";
import { Suspense, useState, type ReactNode } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { TextField } from "../../../components/ui/text-field.tsx";
import { addressOf } from "../../../lib/address.ts";
import { isUnreachable } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import type { SignInOptions } from "../api/auth-state.ts";
import {
  SignInRefused,
  useRequestSession,
  type Credentials,
  type NewSession,
} from "../api/sign-in.ts";
import { AuthFrame } from "./auth-frame.tsx";

/** The URL that signs in through the provider and then returns to `redirectTo`. */
const openIdAddress = (redirectTo: string): string => addressOf(startOpenId, { redirectTo }).url;

const RecoverForm = lazyPart(async () => ({
  default: (await import("./recovery-forms.tsx")).RecoverForm,
}));
const ResetForm = lazyPart(async () => ({
  default: (await import("./recovery-forms.tsx")).ResetForm,
}));
const RecoveryCodesDialog = lazyPart(() => import("../../../components/recovery-codes-dialog.tsx"));

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

type Step = "credentials" | "code";

/**
 * Asks for the instance password, or user name and password, then for the one-time code if the
 * account has a second factor. Keeps what was typed when the server refuses it and when the user
 * goes back from the code.
 */
function LoginForm({
  multiUser,
  username,
  step,
  onStep,
  onForgot,
  onSession,
}: {
  multiUser: boolean;
  username: string;
  step: Step;
  onStep: (step: Step, username: string) => void;
  onForgot: (username: string) => void;
  onSession: (session: NewSession, recoveryCodes: string[]) => void;
}) {
  const { t } = useTranslation("auth");
  const {
    register,
    handleSubmit,
    getValues,
    setValue,
    setFocus,
    formState: { errors },
  } = useForm({ defaultValues: { username, password: "", code: "" } });
  const request = useRequestSession();
  const problem =
    request.error &&
    t("error", {
      message: isUnreachable(request.error) ? t("noAnswer") : request.error.message,
    });
  const inCode = step === "code";
  const submit = handleSubmit((values) => {
    const credentials: Credentials = {
      ...(multiUser ? { username: values.username.trim() } : {}),
      password: values.password,
      ...(inCode ? { code: values.code.trim() } : {}),
    };
    request.mutate(credentials, {
      onSuccess: (outcome) => {
        if (outcome.codeNeeded) onStep("code", credentials.username ?? "");
        else onSession(outcome.session, outcome.recoveryCodes);
      },
      onError: (error) => {
        const backToPassword =
          inCode && error instanceof SignInRefused && error.about === "credentials";
        if (backToPassword) onStep("credentials", values.username);
        setTimeout(() =>
          setFocus(inCode && !backToPassword ? "code" : "password", {
            shouldSelect: inCode && !backToPassword,
          }),
        );
      },
    });
  });
  const clearError = (): void => {
    if (request.isError) request.reset();
  };
  // Typing clears the error.
  const field = (name: "username" | "password" | "code") =>
    register(name, { required: true, onChange: clearError });
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {inCode ? (
        <TextField
          height="lg"
          key="code"
          label={t("code.label")}
          help={t("code.help")}
          problem={problem ?? (errors.code && t("code.missing"))}
          autoComplete="one-time-code"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          autoFocus
          maxLength={64}
          {...field("code")}
        />
      ) : (
        <>
          {multiUser && (
            <TextField
              height="lg"
              key="username"
              label={t("username")}
              problem={errors.username && t("usernameMissing")}
              autoComplete="username"
              autoCapitalize="off"
              autoCorrect="off"
              spellCheck={false}
              autoFocus={username === ""}
              {...field("username")}
            />
          )}
          <TextField
            height="lg"
            key="password"
            label={t("password")}
            type="password"
            problem={problem ?? (errors.password && t("passwordMissing"))}
            autoComplete="current-password"
            autoFocus={!multiUser || username !== ""}
            {...field("password")}
            extra={
              multiUser && (
                <button
                  type="button"
                  className={cn(linkStyles, "pt-px text-xs/5")}
                  onClick={() => onForgot(getValues("username").trim())}
                >
                  {t("forgot")}
                </button>
              )
            }
          />
        </>
      )}
      <Button
        variant="primary"
        size="lg"
        className="w-full"
        disabled={request.isPending}
        type="submit"
      >
        {request.isPending ? t("validating") : t("submit")}
      </Button>
      {inCode && (
        <Button
          className="justify-self-center"
          variant="quiet"
          onClick={() => {
            clearError();
            setValue("code", "");
            onStep("credentials", getValues("username"));
          }}
        >
          {t("back")}
        </Button>
      )}
    </form>
  );
}
