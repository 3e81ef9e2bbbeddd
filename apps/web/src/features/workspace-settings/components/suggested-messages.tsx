import { ArrowDown, ArrowUp, CircleAlert, Plus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import type { SuggestedMessage } from "../api/workspace.ts";
import { isBlank, mostSuggestions, moved } from "../state/workspace-form.ts";

/**
 * The questions an empty chat suggests, in order: at most four. API clients may have saved more;
 * then no further ones can be added.
 */
export function SuggestedMessages({
  query,
  messages,
  onChange,
}: {
  query: { isPending: boolean; error: Error | null; refetch: () => unknown };
  messages: SuggestedMessage[];
  onChange: (messages: SuggestedMessage[]) => void;
}) {
  const { t } = useTranslation("workspace");
  const section = useRef<HTMLElement>(null);
  const change = (next: SuggestedMessage[], focus: string): void => {
    flushSync(() => onChange(next));
    const wanted = section.current?.querySelectorAll<HTMLElement>(focus) ?? [];
    [...wanted].find((element) => !element.matches(":disabled"))?.focus();
  };
  const edit = (index: number, part: Partial<SuggestedMessage>): void =>
    onChange(messages.map((message, at) => (at === index ? { ...message, ...part } : message)));
  const move = (index: number, step: -1 | 1): void => {
    const row = `[data-row="${index + step}"]`;
    const [first, second] = step === -1 ? ["up", "down"] : ["down", "up"];
    change(
      moved(messages, index, step),
      section.current?.querySelector(`${row} [data-move="${first}"]:not(:disabled)`)
        ? `${row} [data-move="${first}"]`
        : `${row} [data-move="${second}"]`,
    );
  };
  const remove = (index: number): void =>
    change(
      messages.toSpliced(index, 1),
      messages.length > 1
        ? `[data-row="${Math.min(index, messages.length - 2)}"] [data-remove]`
        : "[data-add]",
    );
  return (
    <section aria-labelledby="wss-suggested" ref={section}>
      <div>
        <h2 id="wss-suggested">{t("suggested")}</h2>
        <p className="t2">{t("suggestedHelp")}</p>
      </div>
      {query.error && (
        <Notice
          kind="bad"
          action={
            <button type="button" className="btn sm" onClick={() => void query.refetch()}>
              {t("retry")}
            </button>
          }
        >
          <p>{query.error.message}</p>
        </Notice>
      )}
      {query.isPending ? (
        <span className="skel" aria-label={t("loading")} />
      ) : (
        !query.error && (
          <>
            {messages.length > 0 && (
              <ol className="suggestions">
                {messages.map((message, index) => {
                  const number = index + 1;
                  const blank = isBlank(message);
                  return (
                    <li key={index}>
                      <div
                        data-row={index}
                        className="card"
                        role="group"
                        aria-label={t("suggestedNumber", { number })}
                      >
                        <div className="card-head">
                          <span className="t3 xs num grow">
                            {t("suggestedNumber", { number })}
                            {index >= mostSuggestions && ` · ${t("suggestedHidden")}`}
                          </span>
                          <IconButton
                            data-move="up"
                            label={t("moveUp", { number })}
                            disabled={index === 0}
                            onClick={() => move(index, -1)}
                          >
                            <ArrowUp className="i sm" />
                          </IconButton>
                          <IconButton
                            data-move="down"
                            label={t("moveDown", { number })}
                            disabled={index === messages.length - 1}
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
                        <input
                          className={blank ? "input bad" : "input"}
                          aria-label={t("headingOf", { number })}
                          placeholder={t("headingHint")}
                          maxLength={255}
                          value={message.heading}
                          aria-invalid={blank || undefined}
                          aria-describedby={blank ? `wss-blank-${index}` : undefined}
                          onChange={(event) => edit(index, { heading: event.target.value })}
                        />
                        <textarea
                          className="input area"
                          rows={2}
                          aria-label={t("bodyOf", { number })}
                          placeholder={t("bodyHint")}
                          maxLength={2000}
                          value={message.message}
                          onChange={(event) => edit(index, { message: event.target.value })}
                        />
                        {blank && (
                          <p className="err" id={`wss-blank-${index}`}>
                            <CircleAlert className="i sm" aria-hidden="true" />
                            <span>{t("fault.suggested")}</span>
                          </p>
                        )}
                      </div>
                    </li>
                  );
                })}
              </ol>
            )}
            <div className="row wrap">
              <button
                type="button"
                data-add
                className="btn"
                disabled={messages.length >= mostSuggestions}
                onClick={() =>
                  change(
                    [...messages, { heading: "", message: "" }],
                    `[data-row="${messages.length}"] input`,
                  )
                }
              >
                <Plus className="i sm" aria-hidden="true" />
                {t("addSuggested")}
              </button>
              <span className="t3 xs num">
                {t("suggestedCount", { count: messages.length, most: mostSuggestions })}
              </span>
            </div>
          </>
        )
      )}
    </section>
  );
}
