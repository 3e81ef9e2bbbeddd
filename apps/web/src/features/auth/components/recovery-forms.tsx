import { recoverAccount, resetPassword } from "@carrel/contracts";
import { useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { ApiError, call } from "../../../lib/api.ts";
import {
  passwordFault,
  usePasswordRule,
  type CredentialFault,
} from "../../../lib/credential-rules.ts";
import { keys, readStored, writeStored } from "../../../lib/session-storage.ts";
import { toast } from "../../../lib/toast.ts";

const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/** Exchanges recovery codes for a password reset token, and stores it. */
const useRecoverAccount = () =>
  useMutation({
    mutationFn: async ({ username, codes }: { username: string; codes: string[] }) => {
      const recoveryCodes = codes.map((code) => code.trim()).filter((code) => code !== "");
      const { resetToken } = await call(
        recoverAccount,
        { username, recoveryCodes },
        { expects401: true },
      ).catch((error: unknown) => {
        throw isRefusal(error) ? error : new Error(i18next.t("auth:recover.failed"));
      });
      writeStored(keys.resetToken, resetToken);
    },
  });

const readResetToken = (): string | null => readStored(keys.resetToken);
const dropResetToken = (): void => writeStored(keys.resetToken, null);

/** Sets a new password with the stored token, which works once. */
const useResetPassword = () =>
  useMutation({
    mutationFn: async (passwords: { newPassword: string; confirmPassword: string }) => {
      const token = readResetToken();
      if (!token) throw new Error(i18next.t("auth:reset.noToken"));
      await call(resetPassword, { token, ...passwords }, { expects401: true }).catch(
        (error: unknown) => {
          throw isRefusal(error) ? error : new Error(i18next.t("auth:reset.failed"));
        },
      );
      dropResetToken();
    },
  });

const plain = {
  autoComplete: "off",
  autoCapitalize: "off",
  autoCorrect: "off",
  spellCheck: false,
} as const;

/** User name and two recovery codes; leads on to a new password. */
export function RecoverForm({
  username,
  onRecovered,
  onBack,
}: {
  username: string;
  onRecovered: (username: string) => void;
  onBack: (username: string) => void;
}) {
  const { t } = useTranslation("auth");
  const {
    register,
    handleSubmit,
    getValues,
    formState: { errors },
  } = useForm({ defaultValues: { username, code1: "", code2: "" } });
  const recover = useRecoverAccount();
  const submit = handleSubmit(({ code1, code2, ...values }) => {
    const username = values.username.trim();
    recover.mutate({ username, codes: [code1, code2] }, { onSuccess: () => onRecovered(username) });
  });
  return (
    <>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
        <TextField
          height="lg"
          label={t("username")}
          problem={errors.username && t("usernameMissing")}
          {...plain}
          autoComplete="username"
          autoFocus={username === ""}
          {...register("username", { required: true })}
        />
        <TextField
          height="lg"
          label={t("recover.code1")}
          {...plain}
          maxLength={64}
          autoFocus={username !== ""}
          {...register("code1")}
        />
        <TextField
          height="lg"
          label={t("recover.code2")}
          {...plain}
          maxLength={64}
          {...register("code2")}
        />
        <Button
          type="submit"
          variant="primary"
          size="lg"
          className="w-full"
          disabled={recover.isPending}
        >
          {recover.isPending ? t("recover.busy") : t("recover.submit")}
        </Button>
        <Button
          className="justify-self-center"
          variant="quiet"
          onClick={() => onBack(getValues("username"))}
        >
          {t("backToLogin")}
        </Button>
      </form>
      <p className="text-fg-3 text-center text-balance">{t("recover.help")}</p>
    </>
  );
}

/** Asks for the new password twice. */
export function ResetForm({ username, onDone }: { username: string; onDone: () => void }) {
  const { t } = useTranslation(["auth", "common"]);
  const passwordRule = usePasswordRule();
  const {
    register,
    handleSubmit,
    getValues,
    formState: { errors },
  } = useForm({ mode: "onTouched", defaultValues: { password: "", confirm: "" } });
  const resetPassword = useResetPassword();
  const submit = handleSubmit(({ password, confirm }) => {
    const onSuccess = (): void => {
      toast.success(t("reset.done"));
      onDone();
    };
    resetPassword.mutate({ newPassword: password, confirmPassword: confirm }, { onSuccess });
  });
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <input
        type="text"
        autoComplete="username"
        value={username}
        readOnly
        className="sr-only"
        tabIndex={-1}
        aria-hidden="true" /* for password managers */
      />
      <TextField
        height="lg"
        label={t("reset.new")}
        type="password"
        help={passwordRule}
        autoComplete="new-password"
        autoFocus
        problem={
          errors.password && t(`common:credential.${errors.password.message as CredentialFault}`)
        }
        {...register("password", { validate: (value) => passwordFault(value) ?? true })}
      />
      <TextField
        height="lg"
        label={t("reset.confirm")}
        type="password"
        autoComplete="new-password"
        problem={errors.confirm && t("reset.different")}
        {...register("confirm", { validate: (value) => value === getValues("password") })}
      />
      <Button
        type="submit"
        variant="primary"
        size="lg"
        className="w-full"
        disabled={resetPassword.isPending}
      >
        {resetPassword.isPending ? t("reset.busy") : t("reset.submit")}
      </Button>
      <Button
        className="justify-self-center"
        variant="quiet"
        onClick={() => {
          dropResetToken();
          onDone();
        }}
      >
        {t("backToLogin")}
      </Button>
    </form>
  );
}
