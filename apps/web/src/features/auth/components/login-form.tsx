import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { linkStyles } from "../../../components/ui/styles.ts";
import { TextField } from "../../../components/ui/text-field.tsx";
import { isUnreachable } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import {
  SignInRefused,
  useRequestSession,
  type Credentials,
  type NewSession,
} from "../api/sign-in.ts";

export type Step = "credentials" | "code";

/**
 * Asks for the instance password, or user name and password, then for the one-time code if the
 * account has a second factor. Keeps what was typed when the server refuses it and when the user
 * goes back from the code.
 */
export function LoginForm({
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
