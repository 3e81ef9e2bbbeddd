import type { UserWire } from "@carrel/contracts";
import { useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { passwordFault, type CredentialFault } from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { isProofFault } from "../../../lib/proof-fault.ts";
import { useUpdateProfile } from "../api/profile.ts";
import { OneTimeCodeField } from "./one-time-code-field.tsx";
import { DialogFooter } from "../../../components/ui/dialog.tsx";
import { usePasswordRule } from "../../../lib/password-rules.ts";

/** Sets a new password, which revokes all other sessions of the account. */
export function PasswordTab({ user }: { user: UserWire }) {
  const { t } = useTranslation(["account", "common"]);
  const passwordRule = usePasswordRule();
  const {
    register,
    handleSubmit,
    reset,
    setError,
    formState: { errors },
  } = useForm({
    mode: "onTouched",
    defaultValues: { password: "", currentPassword: "", code: "" },
  });
  const update = useUpdateProfile();
  const submit = handleSubmit((fields) => {
    const onSuccess = (): void => {
      reset();
      toast.success(t("updated"));
    };
    const onError = (error: Error): void =>
      setError(isProofFault(error) ? "currentPassword" : "password", {
        type: "server",
        message: t("notUpdated", { message: error.message }),
      });
    update.mutate(fields, { onSuccess, onError });
  });
  const fault = errors.password;
  return (
    <form className="grid content-start gap-4" onSubmit={(event) => void submit(event)} noValidate>
      <input
        type="text"
        autoComplete="username"
        value={user.username}
        readOnly
        className="sr-only"
        tabIndex={-1}
        aria-hidden="true" /* for password managers */
      />
      <TextField
        className="max-w-[360px] max-md:max-w-none"
        label={t("currentPassword")}
        type="password"
        autoComplete="current-password"
        problem={errors.currentPassword?.message}
        {...register("currentPassword")}
      />
      {user.secondFactor && <OneTimeCodeField {...register("code")} />}
      <TextField
        className="max-w-[360px] max-md:max-w-none"
        label={t("newPassword")}
        type="password"
        help={`${passwordRule} ${t("newPasswordHelp")}`}
        autoComplete="new-password"
        problem={
          fault &&
          (fault.type === "server"
            ? fault.message
            : t(`common:credential.${fault.message as CredentialFault}`))
        }
        {...register("password", { validate: (value) => passwordFault(value) ?? true })}
      />
      <DialogFooter>
        <Button
          className="max-md:min-h-11"
          type="submit"
          variant="primary"
          disabled={update.isPending}
        >
          {update.isPending ? t("saving") : t("setPassword")}
        </Button>
      </DialogFooter>
    </form>
  );
}
