import { CalendarClock } from "lucide-react";
import { useId, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Field, FieldLabel, Input, Select } from "../../../components/ui/field.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import { isCron, useCronWords } from "../../../lib/cron-words.ts";
import { useDebounced } from "../../../lib/document-search.ts";
import { formatNumber } from "../../../lib/format.ts";
import { repeats, timingOf, type Repeat, type When } from "../../../lib/schedule-timing.ts";
import { sayDay, sayTiming, weekDays } from "../../../lib/schedule-words.ts";
import type { Field as FieldName } from "../state/content.ts";
import { FieldNote } from "./field-note.tsx";
import { NextRuns } from "./next-runs.tsx";
import { ZoneField } from "./zone-field.tsx";

/** How often something runs and at what time, in words, with the next runs. */
export function TimingFields({
  when,
  problemOf,
  onChange,
}: {
  when: When;
  problemOf: (field: FieldName) => string | null;
  onChange: (change: Partial<When>) => void;
}) {
  const { t } = useTranslation("schedules");
  const { repeat } = when;
  const timing = timingOf(when);
  const hasTime = repeat !== "hour" && repeat !== "custom";
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
        <SelectField
          label={t("form.repeat")}
          value={repeat}
          onChange={(value) =>
            onChange({
              repeat: value as Repeat,
              // What was chosen before, to be refined.
              ...(value === "custom" && timing?.kind === "cron" && { cron: timing.cron }),
            })
          }
        >
          {repeats.map((each) => (
            <option key={each} value={each}>
              {t(`form.repeats.${each}`)}
            </option>
          ))}
        </SelectField>
        {repeat === "hour" && (
          <NumberSelect
            label={t("form.minute")}
            value={when.minute}
            from={0}
            to={59}
            onChange={(minute) => onChange({ minute })}
          />
        )}
        {repeat === "month" && (
          <NumberSelect
            label={t("form.day")}
            help={when.day > 28 ? t("form.dayShort") : undefined}
            value={when.day}
            from={1}
            to={31}
            onChange={(day) => onChange({ day })}
          />
        )}
        {repeat === "once" && (
          <TextField
            label={t("form.date")}
            type="date"
            value={when.date}
            problem={problemOf("date")}
            onChange={(event) => onChange({ date: event.target.value })}
          />
        )}
        {hasTime && (
          <TextField
            label={t("form.time")}
            type="time"
            value={when.time}
            problem={problemOf("time")}
            onChange={(event) => onChange({ time: event.target.value })}
          />
        )}
        <ZoneField
          value={when.zone}
          problem={problemOf("zone")}
          onChange={(zone) => onChange({ zone })}
        />
      </div>
      {repeat === "week" && (
        <Days
          days={when.days}
          problem={problemOf("days")}
          onChange={(days) => onChange({ days })}
        />
      )}
      {repeat === "custom" && (
        <CronField
          cron={when.cron}
          problem={problemOf("cron")}
          onChange={(cron) => onChange({ cron })}
        />
      )}
      <Preview when={when} />
    </div>
  );
}

function NumberSelect({
  label,
  help,
  value,
  from,
  to,
  onChange,
}: {
  label: string;
  help?: string | undefined;
  value: number;
  from: number;
  to: number;
  onChange: (value: number) => void;
}) {
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{label}</FieldLabel>
      <Select
        id={id}
        value={value}
        aria-describedby={help === undefined ? undefined : `${id}-note`}
        onChange={(event) => onChange(Number(event.target.value))}
      >
        {Array.from({ length: to - from + 1 }, (_, index) => (
          <option key={index} value={from + index}>
            {formatNumber(from + index)}
          </option>
        ))}
      </Select>
      <FieldNote id={`${id}-note`} problem={null} help={help} />
    </Field>
  );
}

function Days({
  days,
  problem,
  onChange,
}: {
  days: readonly number[];
  problem: string | null;
  onChange: (days: number[]) => void;
}) {
  const { t } = useTranslation("schedules");
  const id = useId();
  return (
    <Field role="group" aria-labelledby={id}>
      <span id={id} className="font-medium">
        {t("form.days")}
      </span>
      <div className="flex flex-wrap gap-1.5">
        {weekDays().map((day) => {
          const isOn = days.includes(day);
          return (
            <button
              key={day}
              type="button"
              aria-pressed={isOn}
              aria-label={sayDay(day)}
              aria-invalid={problem !== null || undefined}
              className={cn(
                "h-8 min-w-12 rounded-sm border border-line bg-raised px-2 text-fg-2 hover:border-strong max-md:h-11 max-md:flex-1",
                isOn && "border-accent-solid bg-accent-subtle font-medium text-accent",
              )}
              onClick={() =>
                onChange(
                  isOn
                    ? days.filter((each) => each !== day)
                    : [...days, day].sort((one, other) => one - other),
                )
              }
            >
              {sayDay(day, "short")}
            </button>
          );
        })}
      </div>
      <FieldNote id={`${id}-note`} problem={problem} />
    </Field>
  );
}

function CronField({
  cron,
  problem,
  onChange,
}: {
  cron: string;
  problem: string | null;
  onChange: (cron: string) => void;
}) {
  const { t } = useTranslation("schedules");
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{t("form.cron")}</FieldLabel>
      <Input
        id={id}
        className="font-mono"
        dir="ltr"
        value={cron}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        invalid={problem !== null}
        aria-invalid={problem !== null || undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => onChange(event.target.value)}
      />
      <FieldNote id={`${id}-note`} problem={problem} help={t("form.cronHelp")} />
    </Field>
  );
}

/** The timing in words and its next runs; waits until the person pauses. */
function Preview({ when }: { when: When }) {
  const { t } = useTranslation("schedules");
  useCronWords();
  const settled = useDebounced(when);
  const timing = timingOf(settled);
  if (timing === null) return null;
  const isUnreadable = settled.repeat === "custom" && !isCron(settled.cron);
  let words: ReactNode = sayTiming(t, timing);
  if (isUnreadable) words = <code className="font-mono">{settled.cron}</code>;
  return (
    <section
      className="grid grid-cols-1 gap-2 rounded-md border border-subtle bg-sunken px-4 py-3"
      aria-label={t("form.previewTitle")}
      data-preview
    >
      <p className="flex items-start gap-2.5 font-medium" role="status">
        <CalendarClock className="mt-0.5 size-4 flex-none text-accent" aria-hidden="true" />
        <span className="min-w-0 wrap-anywhere">{words}</span>
      </p>
      <NextRuns timing={timing} />
    </section>
  );
}
