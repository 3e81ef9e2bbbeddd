import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import { useSubmission } from "../../../lib/submission.ts";
import { limits } from "../state/limits.ts";
import { FieldError } from "../../../components/ui/field.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Textarea } from "../../../components/ui/input.tsx";

/** Shows the character count from this length on. */
const nearlyFull = limits.characters - 100;

/**
 * Edits a memory. Enter saves; the server's refusal is shown below, and what was typed is kept.
 * `onSave` throws with the text to show.
 */
export function MemoryEditor({
  initial,
  label,
  action,
  onSave,
  onCancel,
}: {
  initial: string;
  label: string;
  action: string;
  onSave: (content: string) => Promise<void>;
  onCancel: () => void;
}) {
  const { t } = useTranslation("memories");
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(initial);
  const { submit, busy, error, clearError } = useSubmission(onSave);
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const content = text.trim();
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (busy || content === "") return;
    if (content === initial) return onCancel();
    submit(content, { onError: () => field.current?.focus() });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) save(event);
  };
  return (
    <form className="grid gap-2 pb-2" onSubmit={save}>
      <Textarea
        ref={field}
        className="max-h-60 min-h-15 field-sizing-content"
        invalid={error !== null}
        rows={2}
        dir="auto"
        maxLength={limits.characters}
        aria-label={label}
        placeholder={t("hint")}
        value={text}
        readOnly={busy}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? id : undefined}
        onChange={(event) => {
          setText(event.target.value);
          clearError();
        }}
        onKeyDown={onKeyDown}
      />
      {error && (
        <FieldError id={id} role="alert">
          {error.message}
        </FieldError>
      )}
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 text-xs text-fg-3 tabular-nums">
          {text.length >= nearlyFull &&
            t("characters", { count: text.length, max: formatNumber(limits.characters) })}
        </span>
        <Button variant="quiet" size="sm" className="max-md:h-10" onClick={onCancel}>
          {t("cancel")}
        </Button>
        <Button
          type="submit"
          variant="primary"
          size="sm"
          className="max-md:h-10"
          disabled={busy || content === ""}
        >
          {busy ? t("saving") : action}
        </Button>
      </div>
    </form>
  );
}
