import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { useSubmission } from "../../../lib/submission.ts";

/**
 * Asks for the password before sensitive actions, to protect unattended sessions. Shows what
 * `onPassword` throws.
 */
export function PasswordPrompt({
  action,
  danger,
  onPassword,
  onCancel,
}: {
  action: string;
  danger?: boolean;
  onPassword: (password: string) => Promise<void>;
  onCancel: () => void;
}) {
  const { t } = useTranslation("account");
  const {
    register,
    handleSubmit,
    setFocus,
    formState: { errors },
  } = useForm({ defaultValues: { password: "" } });
  const { submit, busy, error, clearError } = useSubmission(onPassword);
  const onSubmit = handleSubmit(({ password }) =>
    submit(password, { onError: () => setFocus("password") }),
  );
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
