import { CircleAlert } from "lucide-react";
import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMessage } from "../../../lib/error-message.ts";
import { formatNumber } from "../../../lib/format.ts";
import { limits } from "../state/limits.ts";

/** Show the character count from here on. */
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
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const content = text.trim();
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (busy || content === "") return;
    if (content === initial) return onCancel();
    setBusy(true);
    setProblem(null);
    try {
      await onSave(content);
    } catch (error) {
      setProblem(errorMessage(error));
      setBusy(false);
      field.current?.focus();
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing)
      void save(event);
  };
  return (
    <form className="memory-editor" onSubmit={(event) => void save(event)}>
      <textarea
        ref={field}
        className={problem ? "input area bad" : "input area"}
        rows={2}
        dir="auto"
        maxLength={limits.characters}
        aria-label={label}
        placeholder={t("hint")}
        value={text}
        readOnly={busy}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? id : undefined}
        onChange={(event) => {
          setText(event.target.value);
          setProblem(null);
        }}
        onKeyDown={onKeyDown}
      />
      {problem && (
        <p className="err" id={id} role="alert">
          <CircleAlert className="i sm" aria-hidden="true" />
          <span>{problem}</span>
        </p>
      )}
      <div className="row">
        <span className="t3 xs num grow">
          {text.length >= nearlyFull &&
            t("characters", { count: text.length, most: formatNumber(limits.characters) })}
        </span>
        <button type="button" className="btn quiet sm" onClick={onCancel}>
          {t("cancel")}
        </button>
        <button type="submit" className="btn primary sm" disabled={busy || content === ""}>
          {busy ? t("saving") : action}
        </button>
      </div>
    </form>
  );
}
