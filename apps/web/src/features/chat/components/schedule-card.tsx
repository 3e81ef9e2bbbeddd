import type { StepOutput } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, CalendarClock } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../../lib/api.ts";
import { cn } from "../../../lib/cn.ts";
import { useCronWords } from "../../../lib/cron-words.ts";
import "../../../lib/schedule-texts.ts";
import { sayTime, sayTiming, timingIn } from "../../../lib/schedule-words.ts";
import { scheduleQuery, useScheduleChanges } from "../../../lib/schedules.ts";
import { withoutHidden } from "../state/safe-text.ts";

type ScheduleOutput = Extract<StepOutput, { type: "schedule" }>;

/** The current state of a schedule that a step created. Loaded on demand, together with the texts for times. */
export default function ScheduleCard({ created }: { created: ScheduleOutput }) {
  const { t } = useTranslation("schedules");
  useCronWords();
  useScheduleChanges();
  const { data, error } = useQuery({ ...scheduleQuery(created.id), staleTime: 60_000 });
  const isGone = error instanceof ApiError && error.status === 404;
  const { name, timing, active, nextAt } = data ?? {
    name: created.name,
    timing: timingIn(created.schedule, created.timeZone),
    active: true,
    nextAt: created.nextAt,
  };
  let note: string;
  if (isGone) note = t("gone");
  else if (!active) note = t("paused");
  else if (nextAt === null) note = t("nextNone");
  else note = t("cardNext", { when: sayTime(nextAt, timing.timeZone, true) });
  const styles = "flex max-w-96 items-center gap-3 rounded-md border border-line px-3 py-2.5";
  const content: ReactNode = (
    <>
      <span
        className={cn(
          "grid size-9 flex-none place-items-center rounded-sm bg-accent-subtle text-accent",
          isGone && "bg-active text-fg-3",
        )}
      >
        <CalendarClock className="size-4.5 stroke-[1.75]" aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium" title={withoutHidden(name)}>
          {withoutHidden(name)}
        </bdi>
        <span className="block text-fg-2">{sayTiming(t, timing)}</span>
        <span className="block text-xs text-fg-3 tabular-nums">{note}</span>
      </span>
    </>
  );
  if (isGone) return <div className={styles}>{content}</div>;
  return (
    <Link
      className={cn(
        styles,
        "bg-raised transition-[background,border-color] hover:border-strong hover:bg-hover-tint",
      )}
      to="/schedules/{-$scheduleId}"
      params={{ scheduleId: created.id }}
      search={{}}
    >
      {content}
      <ArrowRight
        className="size-4 flex-none text-fg-3 rtl:-scale-x-100"
        role="img"
        aria-label={t("cardOpen")}
      />
    </Link>
  );
}
