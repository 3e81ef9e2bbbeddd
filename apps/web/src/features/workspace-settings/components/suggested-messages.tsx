import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FieldError, Input, Textarea } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import type { SuggestedMessage } from "../api/workspace.ts";
import { isBlank, maxSuggestions, moved } from "../state/workspace-form.ts";

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
    change(
      moved(messages, index, step),
      section.current?.querySelector(`${row} [data-move="${step}"]:not(:disabled)`)
        ? `${row} [data-move="${step}"]`
        : `${row} [data-move="${-step}"]`,
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
    <FormSection title={t("suggested")} help={t("suggestedHelp")} ref={section}>
      {query.error && (
        <FailedQuery
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      {query.isPending ? (
        <Skeleton aria-label={t("loading")} />
      ) : (
        !query.error && (
          <>
            {messages.length > 0 && (
              <ol className="grid gap-3">
                {messages.map((message, index) => {
                  const number = index + 1;
                  const blank = isBlank(message);
                  return (
                    <li key={index}>
                      <MessageCard
                        index={index}
                        count={messages.length}
                        title={
                          <>
                            {t("suggestedNumber", { number })}
                            {index >= maxSuggestions && ` · ${t("suggestedHidden")}`}
                          </>
                        }
                        onMove={(step) => move(index, step)}
                        onRemove={() => remove(index)}
                      >
                        <Input
                          invalid={blank}
                          aria-label={t("headingOf", { number })}
                          placeholder={t("headingHint")}
                          maxLength={255}
                          value={message.heading}
                          aria-invalid={blank || undefined}
                          aria-describedby={blank ? `wss-blank-${index}` : undefined}
                          onChange={(event) => edit(index, { heading: event.target.value })}
                        />
                        <Textarea
                          className="field-sizing-content max-h-80 min-h-14"
                          rows={2}
                          aria-label={t("bodyOf", { number })}
                          placeholder={t("bodyHint")}
                          maxLength={2000}
                          value={message.message}
                          onChange={(event) => edit(index, { message: event.target.value })}
                        />
                        {blank && (
                          <FieldError id={`wss-blank-${index}`}>{t("fault.suggested")}</FieldError>
                        )}
                      </MessageCard>
                    </li>
                  );
                })}
              </ol>
            )}
            <div className="flex items-center gap-2 flex-wrap">
              <Button
                data-add
                className="max-md:h-11"
                disabled={messages.length >= maxSuggestions}
                onClick={() =>
                  change(
                    [...messages, { heading: "", message: "" }],
                    `[data-row="${messages.length}"] input`,
                  )
                }
              >
                <Plus className="size-3.5 stroke-2" aria-hidden="true" />
                {t("addSuggested")}
              </Button>
              <span className="text-fg-3 text-xs tabular-nums">
                {t("suggestedCount", { count: messages.length, max: maxSuggestions })}
              </span>
            </div>
          </>
        )
      )}
    </FormSection>
  );
}

/** A message in an ordered list, with buttons to move and remove it. */
export function MessageCard({
  index,
  count,
  title,
  onMove,
  onRemove,
  children,
}: {
  index: number;
  count: number;
  title: ReactNode;
  onMove: (step: -1 | 1) => void;
  onRemove: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("workspace");
  const number = index + 1;
  const button = "max-md:size-10";
  return (
    <div
      data-row={index}
      className="grid gap-2 rounded-md border border-line bg-surface px-3 pt-2 pb-3"
      role="group"
      aria-label={t("suggestedNumber", { number })}
    >
      <div className="flex min-h-7 items-center gap-1">
        <span className="min-w-0 flex-1 text-xs text-fg-3 tabular-nums">{title}</span>
        <IconButton
          data-move={-1}
          className={button}
          label={t("moveUp", { number })}
          disabled={index === 0}
          onClick={() => onMove(-1)}
        >
          <ArrowUp className="size-3.5 stroke-2" />
        </IconButton>
        <IconButton
          data-move={1}
          className={button}
          label={t("moveDown", { number })}
          disabled={index === count - 1}
          onClick={() => onMove(1)}
        >
          <ArrowDown className="size-3.5 stroke-2" />
        </IconButton>
        <IconButton
          data-remove
          className={button}
          label={t("removeSuggested", { number })}
          onClick={onRemove}
        >
          <Trash2 className="size-3.5 stroke-2" />
        </IconButton>
      </div>
      {children}
    </div>
  );
}
