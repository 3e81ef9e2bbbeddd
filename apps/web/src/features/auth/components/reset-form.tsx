import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../components/ui/text-field.tsx";
import { passwordFault, type CredentialFault } from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { dropResetToken, readResetToken, setNewPassword, wordsOf } from "../api/recovery.ts";

/** The new password, twice. */
export default function ResetForm({ username, onDone }: { username: string; onDone: () => void }) {
  const { t } = useTranslation(["auth", "common"]);
  const {
    register,
    handleSubmit,
    getValues,
    formState: { errors, isSubmitting },
  } = useForm({ defaultValues: { password: "", confirm: "" } });
  const submit = handleSubmit(async ({ password, confirm }) => {
    const token = readResetToken();
    if (!token) return toast.error(t("reset.noToken"));
    try {
      await setNewPassword(token, password, confirm);
      toast.success(t("reset.done"));
      onDone();
    } catch (error) {
      toast.error(wordsOf(error) ?? t("reset.failed"));
    }
  });
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <input
        type="text"
        autoComplete="username"
        value={username}
        readOnly
        className="vh"
        tabIndex={-1}
        aria-hidden="true" /* so that the password manager knows whose it is */
      />
      <TextField
        label={t("reset.new")}
        type="password"
        help={t("reset.newHelp")}
        autoComplete="new-password"
        autoFocus
        problem={
          errors.password && t(`common:credential.${errors.password.message as CredentialFault}`)
        }
        {...register("password", { validate: (value) => passwordFault(value) ?? true })}
      />
      <TextField
        label={t("reset.confirm")}
        type="password"
        autoComplete="new-password"
        problem={errors.confirm && t("reset.different")}
        {...register("confirm", { validate: (value) => value === getValues("password") })}
      />
      <button type="submit" className="btn primary lg wide" disabled={isSubmitting}>
        {isSubmitting ? t("reset.busy") : t("reset.submit")}
      </button>
      <button
        type="button"
        className="btn quiet"
        onClick={() => {
          dropResetToken();
          onDone();
        }}
      >
        {t("backToLogin")}
      </button>
    </form>
  );
}
