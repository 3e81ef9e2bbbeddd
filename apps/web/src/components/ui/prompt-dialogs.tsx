import { useId, useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useSubmission } from "../../lib/query-client.ts";
import { Button } from "./button.tsx";
import { Dialog, DialogFooter } from "./dialog.tsx";
import { Field, FieldError, FieldLabel, Input } from "./field.tsx";

/**
 * Asks for a name. A blank entry does nothing; on failure the dialog stays open with what was
 * typed.
 */
export function NameDialog({
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
  const { submit, busy, error, clearError } = useSubmission(onSubmit);
  const problem = error && problemOf(error.message);
  const onFormSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() !== "" && !busy) submit(name.trim(), { onSuccess: onClose });
  };
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <form className="grid gap-4" onSubmit={onFormSubmit}>
        <Field>
          <FieldLabel htmlFor={id}>{label}</FieldLabel>
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
              clearError();
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
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={busy || name.trim() === ""}>
            {busy ? busyAction : action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

/** Asks before something that can't be undone. The button names the action. */
export function ConfirmDialog({
  open,
  title,
  text,
  action,
  onConfirm,
  onClose,
}: {
  open: boolean;
  title: string;
  text: string;
  action: string;
  /** Failures are reported by the mutation itself. */
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    await onConfirm().catch(() => undefined);
    setBusy(false);
    onClose();
  };
  return (
    <Dialog open={open} onClose={onClose} title={title} description={text}>
      <DialogFooter>
        <Button variant="quiet" onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button variant="danger" disabled={busy} onClick={() => void confirm()}>
          {action}
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
