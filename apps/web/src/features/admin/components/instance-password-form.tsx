import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { ConfirmDialog } from "../../../components/ui/dialogs.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import { errorMessage } from "../../../lib/error-message.ts";
import { passwordFault } from "../../../lib/credential-rules.ts";
import { toast } from "../../../lib/toast.ts";
import { useSetPassword } from "../api/security.ts";

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
  const [password, setTyped] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const save = useSetPassword();
  const [removing, setRemoving] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy) return;
    const fault = passwordFault(password);
    if (fault) return setProblem(t(`common:credential.${fault}`));
    setBusy(true);
    setProblem(null);
    try {
      await replaceSession(async () => {
        await save.mutateAsync(password);
        await onSet(password);
      });
      setTyped("");
      toast.success(t("passwordSaved"));
    } catch (error) {
      setProblem(t("passwordFailed", { message: errorMessage(error) }));
    } finally {
      setBusy(false);
    }
  };
  return (
    <FormSection title={t("passwordTitle")}>
      <form
        className="grid max-w-[560px] gap-5"
        onSubmit={(event) => void submit(event)}
        noValidate
      >
        <Notice kind={isProtected ? "info" : "warn"}>
          <p>
            <b>{isProtected ? t("protected") : t("unprotected")}</b>{" "}
            {isProtected ? t("protectedHelp") : t("unprotectedHelp")}
          </p>
        </Notice>
        <TextField
          label={isProtected ? t("passwordNew") : t("password")}
          type="password"
          autoComplete="new-password"
          help={t("passwordHelp")}
          problem={problem}
          value={password}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(null);
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
          onConfirm={async () => {
            try {
              await save.mutateAsync(null);
              await onRemoved();
              toast.success(t("passwordRemoved"));
            } catch (error) {
              toast.error(t("passwordFailed", { message: errorMessage(error) }));
            }
          }}
        />
      )}
    </FormSection>
  );
}
