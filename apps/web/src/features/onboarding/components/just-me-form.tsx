import { useEffect, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { ChoiceCards } from "../../../components/ui/choices.tsx";
import { CredentialField } from "../../../components/ui/text-field.tsx";
import { replaceSession } from "../../../lib/api.ts";
import { passwordFault, useSetPassword } from "../../../lib/credential-rules.ts";
import { useSubmission } from "../../../lib/query-client.ts";

export interface FormState {
  /** Whether everything that the step needs is filled in. */
  isComplete: boolean;
  isBusy: boolean;
}

/** Asks whether to set a password, and if so which. */
export function JustMeForm({
  id,
  onState,
  onPassword,
  onDone,
}: {
  id: string;
  onState: (state: FormState) => void;
  onPassword: (password: string) => Promise<void>;
  onDone: () => void;
}) {
  const { t } = useTranslation(["onboarding", "common", "settings"]);
  const [answer, setAnswer] = useState<"yes" | "no" | null>(null);
  const [password, setPassword] = useState("");
  const fault = passwordFault(password);
  const [isChecked, setChecked] = useState(false);
  const save = useSetPassword();
  const { submit, busy, error, clearError } = useSubmission(() =>
    replaceSession(async () => {
      await save.mutateAsync({ newPassword: password, currentPassword: "" });
      await onPassword(password);
    }),
  );
  const isComplete = answer === "no" || (answer === "yes" && [...password].length >= 8);
  useEffect(() => onState({ isComplete, isBusy: busy }), [onState, isComplete, busy]);
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isComplete || busy) return;
    if (answer === "no") return onDone();
    setChecked(true);
    if (!fault) submit(undefined, { onSuccess: onDone });
  };
  return (
    <form id={id} className="grid grid-cols-1 gap-5" onSubmit={onSubmit} noValidate>
      <div className="grid gap-2">
        <h2 className="text-md font-semibold">{t("people.passwordQuestion")}</h2>
        <ChoiceCards
          name="password-wanted"
          label={t("people.passwordQuestion")}
          value={answer}
          options={[
            { value: "yes", label: t("people.yes") },
            { value: "no", label: t("people.no") },
          ]}
          onChange={setAnswer}
        />
      </div>
      {answer === "no" && <p className="text-fg-2">{t("people.noPassword")}</p>}
      {answer === "yes" && (
        <CredentialField
          label={t("settings:password")}
          type="password"
          autoComplete="new-password"
          autoFocus
          help={t("people.passwordHelp")}
          fault={fault}
          isChecked={isChecked}
          problem={error && t("people.passwordFailed", { message: error.message })}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setChecked(false);
            clearError();
          }}
        />
      )}
    </form>
  );
}
