import type { UserWire } from "@carrel/contracts";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../components/ui/text-field.tsx";
import { passwordFault, type CredentialFault } from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { saveProfile } from "../api/profile.ts";

/** A new password. It ends every other session of the account. */
export function PasswordTab({ user }: { user: UserWire }) {
  const { t } = useTranslation(["account", "common"]);
  const {
    register,
    handleSubmit,
    reset,
    setError,
    formState: { errors, isSubmitting },
  } = useForm({ defaultValues: { password: "" } });
  const submit = handleSubmit(async ({ password }) => {
    try {
      await saveProfile({ password });
      reset();
      toast.success(t("updated"));
    } catch (error) {
      const message = t("notUpdated", {
        message: error instanceof Error ? error.message : String(error),
      });
      setError("password", { type: "server", message });
      toast.error(message);
    }
  });
  const fault = errors.password;
  return (
    <form className="account-rows" onSubmit={(event) => void submit(event)} noValidate>
      <input
        type="text"
        autoComplete="username"
        value={user.username}
        readOnly
        className="vh"
        tabIndex={-1}
        aria-hidden="true" /* so that the password manager knows whose it is */
      />
      <TextField
        label={t("newPassword")}
        type="password"
        help={t("newPasswordHelp")}
        autoComplete="new-password"
        problem={
          fault &&
          (fault.type === "server"
            ? fault.message
            : t(`common:credential.${fault.message as CredentialFault}`))
        }
        {...register("password", { validate: (value) => passwordFault(value) ?? true })}
      />
      <footer>
        <button type="submit" className="btn primary" disabled={isSubmitting}>
          {isSubmitting ? t("saving") : t("setPassword")}
        </button>
      </footer>
    </form>
  );
}
