import { ArrowDown, ArrowUp, CircleAlert, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { longestRow, mostRows, type WelcomeRow } from "../state/welcome-rows.ts";
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
        <p className="t3">{t("welcome.empty")}</p>
      ) : (
        <ol className="suggestions">
          {rows.map((row, index) => {
            const number = index + 1;
            const blank = row.text.trim() === "";
            return (
              <li key={index}>
                <div
                  data-row={index}
                  className="card"
                  role="group"
                  aria-label={t("suggestedNumber", { number })}
                >
                  <div className="card-head">
                    <span className="t3 xs grow">{t(`welcome.from.${row.from}`)}</span>
                    <IconButton
                      data-move="-1"
                      label={t("moveUp", { number })}
                      disabled={index === 0}
                      onClick={() => move(index, -1)}
                    >
                      <ArrowUp className="i sm" />
                    </IconButton>
                    <IconButton
                      data-move="1"
                      label={t("moveDown", { number })}
                      disabled={index === rows.length - 1}
                      onClick={() => move(index, 1)}
                    >
                      <ArrowDown className="i sm" />
                    </IconButton>
                    <IconButton
                      data-remove
                      label={t("removeSuggested", { number })}
                      onClick={() => remove(index)}
                    >
                      <Trash2 className="i sm" />
                    </IconButton>
                  </div>
                  <textarea
                    className={blank ? "input area bad" : "input area"}
                    rows={row.from === "user" ? 1 : 3}
                    dir="auto"
                    maxLength={longestRow}
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
                    <p className="err" id={`welcome-blank-${index}`}>
                      <CircleAlert className="i sm" aria-hidden="true" />
                      <span>{t("fault.welcome")}</span>
                    </p>
                  )}
                </div>
              </li>
            );
          })}
        </ol>
      )}
      <div className="row wrap">
        {(["response", "user"] as const).map((from) => (
          <button
            key={from}
            type="button"
            data-add
            className="btn"
            disabled={rows.length >= mostRows}
            onClick={() => add(from)}
          >
            <Plus className="i sm" aria-hidden="true" />
            {t(`welcome.add.${from}`)}
          </button>
        ))}
      </div>
    </div>
  );
}
