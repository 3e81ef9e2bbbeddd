import { useMutation } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { CredentialField } from "../../../components/credential-field.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import { passwordFault } from "../../../lib/credential-rules.ts";
import { isProofFault } from "../../../lib/proof-fault.ts";
import { useSubmission } from "../../../lib/submission.ts";
import { toast } from "../../../lib/toast.ts";
import { useSetPassword } from "../../../lib/instance-access.ts";

/** Sets, changes or removes the instance password. */
export function InstancePasswordForm({
  isProtected,
  onSet,
  onRemoved,
}: {
  isProtected: boolean;
  onSet: (password: string) => Promise<void>;
  onRemoved: () => Promise<void>;
}) {
  const { t } = useTranslation(["settings", "common"]);
  const [password, setPassword] = useState("");
  const [currentPassword, setCurrentPassword] = useState("");
  const fault = passwordFault(password);
  const [isChecked, setChecked] = useState(false);
  const [removing, setRemoving] = useState(false);
  const save = useSetPassword();
  const failed = (message: string): string => t("passwordFailed", { message });
  const { submit, busy, error, clearError } = useSubmission((typed: string) =>
    replaceSession(async () => {
      await save.mutateAsync({ newPassword: typed, currentPassword });
      await onSet(typed);
    }),
  );
  const removal = useMutation({
    mutationFn: async () => {
      await save.mutateAsync({ newPassword: null, currentPassword });
      await onRemoved();
    },
    onSuccess: () => {
      setCurrentPassword("");
      toast.success(t("passwordRemoved"));
    },
    meta: { errorToast: failed },
  });
  const problem = error && failed(error.message);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (busy) return;
    setChecked(true);
    if (fault) return;
    submit(password, {
      onSuccess: () => {
        setPassword("");
        setChecked(false);
        setCurrentPassword("");
        toast.success(t("passwordSaved"));
      },
    });
  };
  return (
    <FormSection title={t("passwordTitle")}>
      <form className="grid gap-5" onSubmit={onSubmit} noValidate>
        <Notice kind={isProtected ? "info" : "warn"}>
          <p>
            <b>{isProtected ? t("protected") : t("unprotected")}</b>{" "}
            {isProtected ? t("protectedHelp") : t("unprotectedHelp")}
          </p>
        </Notice>
        {isProtected && (
          <TextField
            label={t("passwordCurrent")}
            type="password"
            autoComplete="current-password"
            problem={isProofFault(error) ? problem : null}
            value={currentPassword}
            onChange={(event) => {
              setCurrentPassword(event.target.value);
              clearError();
            }}
          />
        )}
        <CredentialField
          label={isProtected ? t("passwordNew") : t("password")}
          type="password"
          autoComplete="new-password"
          help={t("passwordHelp")}
          fault={fault}
          isChecked={isChecked}
          problem={isProofFault(error) ? null : problem}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setChecked(false);
            clearError();
          }}
        />
        <div className="flex items-center gap-2">
          <Button type="submit" variant="primary" disabled={busy}>
            {busy ? t("saving") : isProtected ? t("passwordChange") : t("passwordSet")}
          </Button>
          {isProtected && <Button onClick={() => setRemoving(true)}>{t("passwordRemove")}</Button>}
        </div>
      </form>
      {removing && (
        <ConfirmDialog
          open
          title={t("passwordRemoveTitle")}
          text={t("passwordRemoveText")}
          action={t("passwordRemove")}
          onClose={() => setRemoving(false)}
          onConfirm={() => removal.mutateAsync()}
        />
      )}
    </FormSection>
  );
}
