import { useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "../lib/agent-texts.ts";
import { useSubmission } from "../lib/query-client.ts";
import { toast } from "../lib/toast.ts";
import { Button } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";
import { TextField } from "./ui/text-field.tsx";

/** A form with its own save button. Errors are shown above it, and keep what was typed. */
export function SmallForm({
  changed,
  done,
  onSave,
  children,
}: {
  changed: boolean;
  done: string;
  onSave: () => Promise<unknown>;
  children: ReactNode;
}) {
  const { t } = useTranslation("agents");
  const { submit, busy, error } = useSubmission(async () => {
    await onSave();
    toast.success(done);
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (changed && !busy) submit(undefined);
  };
  return (
    <form className="grid gap-4" onSubmit={onSubmit} noValidate>
      {children}
      {error && (
        <Notice kind="bad">
          <p>
            <b>{t("notSaved")}</b> {error.message}
          </p>
        </Notice>
      )}
      <Button
        type="submit"
        className="justify-self-start max-md:h-11 max-md:justify-self-stretch"
        disabled={!changed || busy}
      >
        {busy ? t("saving") : t("save")}
      </Button>
    </form>
  );
}

/** A whole number from `min` to `max`. */
export function NumberForm({
  label,
  help,
  saved,
  min = 1,
  max,
  disabled = false,
  done,
  onSave,
}: {
  label: string;
  help: string;
  saved: number;
  min?: number;
  max: number;
  disabled?: boolean;
  done: string;
  onSave: (number: number) => Promise<unknown>;
}) {
  const { t } = useTranslation("agents");
  const [typed, setTyped] = useState<string | null>(null);
  const text = typed ?? String(saved);
  const number = /^\s*\d{1,5}\s*$/.test(text) ? Number(text) : NaN;
  const isValid = number >= min && number <= max;
  return (
    <SmallForm
      changed={typed !== null && isValid && number !== saved}
      done={done}
      onSave={async () => {
        await onSave(number);
        setTyped(null);
      }}
    >
      <TextField
        label={label}
        className="max-w-[200px] max-md:max-w-none"
        inputMode="numeric"
        autoComplete="off"
        value={text}
        disabled={disabled}
        help={help}
        problem={isValid ? null : t("limits.fault", { min, max })}
        onChange={(event) => setTyped(event.target.value)}
      />
    </SmallForm>
  );
}
