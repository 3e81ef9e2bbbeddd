import { Plus } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { MessageCard } from "./message-card.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FieldError } from "../../../components/ui/field.tsx";
import { Textarea } from "../../../components/ui/input.tsx";
import { maxRowLength, maxRows, type WelcomeRow } from "../state/welcome-rows.ts";
import { moved } from "../state/workspace-form.ts";

/**
 * Editable list of welcome messages: each shows its sender and can be changed, moved and removed;
 * focus stays on the control in use.
 */
export function WelcomeMessages({
  rows,
  onChange,
}: {
  rows: WelcomeRow[];
  onChange: (rows: WelcomeRow[]) => void;
}) {
  const { t } = useTranslation("workspace");
  const list = useRef<HTMLDivElement>(null);
  const change = (next: WelcomeRow[], ...focus: string[]): void => {
    flushSync(() => onChange(next));
    for (const selector of focus) {
      const wanted = list.current?.querySelector<HTMLElement>(`${selector}:not(:disabled)`);
      if (wanted) return wanted.focus();
    }
  };
  const move = (index: number, step: -1 | 1): void => {
    const row = `[data-row="${index + step}"]`;
    change(
      moved(rows, index, step),
      `${row} [data-move="${step}"]`,
      `${row} [data-move="${-step}"]`,
    );
  };
  const remove = (index: number): void =>
    change(
      rows.toSpliced(index, 1),
      `[data-row="${Math.min(index, rows.length - 2)}"] [data-remove]`,
      "[data-add]",
    );
  const add = (from: WelcomeRow["from"]): void =>
    change([...rows, { from, text: "" }], `[data-row="${rows.length}"] textarea`);
  return (
    <div ref={list} className="grid gap-4">
      {rows.length === 0 ? (
        <p className="text-fg-3">{t("welcome.empty")}</p>
      ) : (
        <ol className="grid gap-3">
          {rows.map((row, index) => {
            const number = index + 1;
            const blank = row.text.trim() === "";
            return (
              <li key={index}>
                <MessageCard
                  index={index}
                  count={rows.length}
                  title={t(`welcome.from.${row.from}`)}
                  onMove={(step) => move(index, step)}
                  onRemove={() => remove(index)}
                >
                  <Textarea
                    className={
                      row.from === "user"
                        ? "field-sizing-content max-h-80 min-h-[38px]"
                        : "field-sizing-content max-h-80 min-h-14"
                    }
                    invalid={blank}
                    rows={row.from === "user" ? 1 : 3}
                    dir="auto"
                    maxLength={maxRowLength}
                    value={row.text}
                    aria-label={t("bodyOf", { number })}
                    placeholder={t(`welcome.hint.${row.from}`)}
                    aria-invalid={blank || undefined}
                    aria-describedby={blank ? `welcome-blank-${index}` : undefined}
                    onChange={(event) =>
                      onChange(rows.with(index, { ...row, text: event.target.value }))
                    }
                  />
                  {blank && (
                    <FieldError id={`welcome-blank-${index}`}>{t("fault.welcome")}</FieldError>
                  )}
                </MessageCard>
              </li>
            );
          })}
        </ol>
      )}
      <div className="flex items-center gap-2 flex-wrap">
        {(["response", "user"] as const).map((from) => (
          <Button key={from} data-add disabled={rows.length >= maxRows} onClick={() => add(from)}>
            <Plus className="size-3.5 stroke-2" aria-hidden="true" />
            {t(`welcome.add.${from}`)}
          </Button>
        ))}
      </div>
    </div>
  );
}
