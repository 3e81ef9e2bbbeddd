import type { ComponentProps } from "react";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useSubmission } from "../../../lib/query-client.ts";
import type { OwnerProof } from "../api/security.ts";

/**
 * Asks for the password, and for the one-time code if the account has one, before sensitive
 * actions, to protect unattended sessions. Shows errors that `onProof` throws.
 */
export function PasswordPrompt({
  action,
  danger,
  asksCode,
  onProof,
  onCancel,
}: {
  action: string;
  danger?: boolean;
  asksCode?: boolean;
  onProof: (proof: OwnerProof) => Promise<void>;
  onCancel: () => void;
}) {
  const { t } = useTranslation("account");
  const {
    register,
    handleSubmit,
    setFocus,
    formState: { errors },
  } = useForm({ defaultValues: { password: "", code: "" } });
  const { submit, busy, error, clearError } = useSubmission(onProof);
  const onSubmit = handleSubmit((proof) => submit(proof, { onError: () => setFocus("password") }));
  return (
    <form
      className="grid content-start gap-4"
      onSubmit={(event) => void onSubmit(event)}
      noValidate
    >
      <TextField
        className="max-w-[360px] max-md:max-w-none"
        label={t("yourPassword")}
        type="password"
        autoComplete="current-password"
        autoFocus
        problem={errors.password ? t("passwordMissing") : error?.message}
        {...register("password", { required: true, onChange: clearError })}
      />
      {asksCode && (
        <OneTimeCodeField
          problem={errors.code && t("factor.codeMissing")}
          {...register("code", { required: true, onChange: clearError })}
        />
      )}
      <div className="flex items-center gap-2">
        <Button
          className="max-md:min-h-11"
          type="submit"
          variant={danger ? "danger" : "primary"}
          disabled={busy}
        >
          {busy ? t("saving") : action}
        </Button>
        <Button className="max-md:min-h-11" variant="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}

/** The code from the authenticator app. */
export function OneTimeCodeField(
  props: Pick<ComponentProps<typeof TextField>, "problem" | "autoFocus" | "name" | "ref"> &
    Pick<ComponentProps<"input">, "onChange" | "onBlur">,
) {
  const { t } = useTranslation("account");
  return (
    <TextField
      className="max-w-[360px] max-md:max-w-none"
      label={t("factor.code")}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={12}
      {...props}
    />
  );
}
