import { useEffect, useRef, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Textarea } from "../../../components/ui/field.tsx";
import { endEditing, updateEditing } from "../state/draft.ts";

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
    <form className="grid w-full gap-2" onSubmit={save}>
      <Textarea
        ref={field}
        className="min-h-19 px-3 py-2.5 text-md"
        aria-label={label}
        dir="auto"
        value={text}
        onChange={(event) => updateEditing(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex items-center gap-2 max-md:justify-end">
        <span className="min-w-0 flex-1 text-xs/5 text-fg-3 max-md:hidden">{hint}</span>
        <Button variant="quiet" size="sm" onClick={endEditing}>
          {t("cancelEdit")}
        </Button>
        <Button type="submit" variant="primary" size="sm" disabled={!isReady}>
          {action}
        </Button>
      </div>
    </form>
  );
}
