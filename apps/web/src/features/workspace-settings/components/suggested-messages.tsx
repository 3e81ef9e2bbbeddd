import { Plus } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { FieldError, Input, Textarea } from "../../../components/ui/field.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import type { SuggestedMessage } from "../api/workspace.ts";
import { isBlank, maxSuggestions, moved } from "../state/workspace-form.ts";
import { MessageCard } from "./message-card.tsx";

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
