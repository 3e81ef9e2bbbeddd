import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { errorMessage } from "../../../lib/error-message.ts";

/**
 * Asks for the password before actions that somebody using an unattended session must not take.
 * Shows what `onPassword` throws.
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
    setError,
    formState: { errors, isSubmitting },
  } = useForm({ defaultValues: { password: "" } });
  const submit = handleSubmit(async ({ password }) => {
    try {
      await onPassword(password);
    } catch (error) {
      setError("password", { type: "server", message: errorMessage(error) }, { shouldFocus: true });
    }
  });
  const fault = errors.password;
  return (
    <form className="grid content-start gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        className="max-w-[360px] max-md:max-w-none"
        label={t("yourPassword")}
        type="password"
        autoComplete="current-password"
        autoFocus
        problem={fault && (fault.type === "server" ? fault.message : t("passwordMissing"))}
        {...register("password", { required: true })}
      />
      <div className="flex items-center gap-2">
        <Button
          className="max-md:min-h-11"
          type="submit"
          variant={danger ? "danger" : "primary"}
          disabled={isSubmitting}
        >
          {isSubmitting ? t("saving") : action}
        </Button>
        <Button className="max-md:min-h-11" variant="quiet" onClick={onCancel}>
          {t("cancel")}
        </Button>
      </div>
    </form>
  );
}
