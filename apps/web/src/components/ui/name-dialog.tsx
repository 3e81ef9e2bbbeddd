import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../lib/error-message.ts";
import { Dialog } from "./dialog.tsx";
import { Field, FieldError } from "./field.tsx";
import { Button } from "./button.tsx";
import { Input } from "./input.tsx";

/**
 * Asks for a name. A blank entry does nothing; on failure the dialog stays open with what was
 * typed.
 */
export default function NameDialog({
  open,
  title,
  label,
  initial,
  placeholder,
  action,
  busyAction,
  problemOf = (message) => message,
  onSubmit,
  onClose,
}: {
  open: boolean;
  title: string;
  label: string;
  initial: string;
  placeholder?: string;
  action: string;
  busyAction: string;
  /** Turns the server's message into the error shown in the dialog. */
  problemOf?: (message: string) => string;
  onSubmit: (name: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const id = useId();
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (name.trim() === "" || busy) return;
    setBusy(true);
    try {
      await onSubmit(name.trim());
      onClose();
    } catch (error) {
      setProblem(problemOf(errorMessage(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <Field>
          <label htmlFor={id}>{label}</label>
          <Input
            id={id}
            invalid={problem !== null}
            value={name}
            maxLength={255}
            autoFocus
            placeholder={placeholder}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setName(event.target.value);
              setProblem(null);
            }}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-error` : undefined}
          />
          {problem && (
            <FieldError id={`${id}-error`} role="alert">
              {problem}
            </FieldError>
          )}
        </Field>
        <footer>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={busy || name.trim() === ""}>
            {busy ? busyAction : action}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
