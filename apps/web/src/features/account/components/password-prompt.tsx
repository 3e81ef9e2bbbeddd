import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
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
    <form className="account-rows" onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={t("yourPassword")}
        type="password"
        autoComplete="current-password"
        autoFocus
        problem={fault && (fault.type === "server" ? fault.message : t("passwordMissing"))}
        {...register("password", { required: true })}
      />
      <div className="row">
        <button
          type="submit"
          className={danger ? "btn danger" : "btn primary"}
          disabled={isSubmitting}
        >
          {isSubmitting ? t("saving") : action}
        </button>
        <button type="button" className="btn quiet" onClick={onCancel}>
          {t("cancel")}
        </button>
      </div>
    </form>
  );
}
