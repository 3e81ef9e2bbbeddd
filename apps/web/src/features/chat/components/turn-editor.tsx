import { useEffect, useRef, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { changeEdited, endEditing } from "../state/editing.ts";

/**
 * Edits a question or an answer in place. Esc cancels; Mod+Enter saves, and so does Enter in a
 * question.
 */
export function TurnEditor({
  text,
  label,
  action,
  enterSaves,
  hint,
  onSave,
}: {
  text: string;
  label: string;
  action: string;
  enterSaves: boolean;
  hint: string;
  onSave: (text: string) => void;
}) {
  const { t } = useTranslation("chat");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  useEffect(() => {
    const area = field.current;
    if (!area) return;
    area.style.blockSize = "auto";
    area.style.blockSize = `${Math.min(area.scrollHeight + 2, 420)}px`;
  }, [text]);
  const isReady = text.trim() !== "";
  const save = (event?: FormEvent): void => {
    event?.preventDefault();
    if (isReady) onSave(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") {
      event.preventDefault(); // cancels the edit, not the answer being written
      endEditing();
    }
    if (event.key !== "Enter" || event.nativeEvent.isComposing || event.shiftKey) return;
    if (enterSaves || event.ctrlKey || event.metaKey) save(event);
  };
  return (
    <form className="turn-editor" onSubmit={save}>
      <textarea
        ref={field}
        className="input"
        aria-label={label}
        dir="auto"
        value={text}
        onChange={(event) => changeEdited(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="row">
        <span className="grow t3 hint">{hint}</span>
        <button type="button" className="btn quiet sm" onClick={endEditing}>
          {t("cancelEdit")}
        </button>
        <button type="submit" className="btn primary sm" disabled={!isReady}>
          {action}
        </button>
      </div>
    </form>
  );
}
