import { clsx } from "clsx";
import { ChevronDown, ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatAgo } from "../../../lib/format.ts";
import type { LoggedEvent } from "../api/events.ts";
import { factsOf, isByApiKey } from "../state/event-facts.ts";
import { useEventName } from "../state/use-event-name.ts";
import { bodyRow, rowButton } from "./row-styles.ts";

const exact = (iso: string): string =>
  Number.isNaN(Date.parse(iso))
    ? ""
    : new Intl.DateTimeFormat(document.documentElement.lang, {
        dateStyle: "medium",
        timeStyle: "medium",
      }).format(new Date(iso));

/** One entry, whose details open below it. */
export function EventRow({
  event,
  isOpen,
  onToggle,
}: {
  event: LoggedEvent;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation("admin");
  const id = useId();
  const name = useEventName()(event.event);
  const nobody = isByApiKey(event.metadata) ? t("events.apiKey") : t("events.nobody");
  const facts = isOpen ? factsOf(event.metadata) : [];
  return (
    <>
      <div className={clsx(bodyRow, isOpen && "border-transparent bg-hover")} role="row">
        <div role="cell" className="min-w-0 max-md:col-start-1">
          <button
            type="button"
            className={rowButton}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
          >
            {isOpen ? (
              <ChevronDown className="size-3.5 stroke-2" aria-hidden="true" />
            ) : (
              <ChevronRight className="size-3.5 stroke-2 rtl:-scale-x-100" aria-hidden="true" />
            )}
            <span className="truncate">{name}</span>
          </button>
        </div>
        <div role="cell" className="min-w-0 max-md:col-start-1 max-md:text-xs max-md:text-fg-2">
          <span className="block truncate text-fg-2">
            {event.userId === null ? nobody : event.user.username}
          </span>
        </div>
        <div role="cell" className="max-md:col-start-1 max-md:text-xs">
          <time
            className="text-xs text-fg-3 tabular-nums"
            dateTime={event.occurredAt}
            title={exact(event.occurredAt)}
          >
            {formatAgo(event.occurredAt)}
          </time>
        </div>
      </div>
      {isOpen && (
        <div role="row">
          <div
            role="cell"
            aria-colspan={3}
            className="border-b border-subtle bg-hover px-6 pb-4 max-md:px-4"
            id={id}
            aria-label={t("events.details", {
              event: name,
              when: exact(event.occurredAt),
            })}
          >
            <dl className="grid grid-cols-[minmax(120px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-md border border-subtle bg-surface px-4 py-3 text-xs max-md:grid-cols-1 max-md:gap-0">
              <Fact name={t("events.columnWhen")}>
                <span className="tabular-nums">{exact(event.occurredAt)}</span>
              </Fact>
              {facts.map(([name, value]) => (
                <Fact key={name} name={name}>
                  {value}
                </Fact>
              ))}
            </dl>
            {facts.length === 0 && (
              <p className="text-fg-3 text-xs mt-2">{t("events.noDetails")}</p>
            )}
          </div>
        </div>
      )}
    </>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="text-fg-3">{name}</dt>
    <dd className="wrap-anywhere whitespace-pre-wrap max-md:mb-1.5">{children}</dd>
  </>
);
