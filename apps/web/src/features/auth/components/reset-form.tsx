import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import {
  passwordFault,
  usePasswordRule,
  type CredentialFault,
} from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { dropResetToken, useResetPassword } from "../api/recovery.ts";

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
