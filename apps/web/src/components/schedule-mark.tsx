import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarClock } from "lucide-react";
import { useTranslation } from "react-i18next";
import { scheduleQuery } from "../lib/schedules.ts";

/** Says which schedule asked a question; without a link if it was deleted. */
export default function ScheduleMark({ id }: { id: string }) {
  const { t } = useTranslation("chat");
  const schedule = useQuery({ ...scheduleQuery(id), staleTime: 300_000 });
  const name = schedule.data?.name;
  return (
    <p className="flex max-w-full items-center gap-1.5 text-xs text-fg-3" data-schedule-mark>
      <CalendarClock className="size-3.5 flex-none stroke-2" aria-hidden="true" />
      {name === undefined ? (
        <span>{t("askedBySchedule")}</span>
      ) : (
        <Link
          to="/schedules/{-$scheduleId}"
          params={{ scheduleId: id }}
          search={{}}
          className="min-w-0 truncate rounded-[3px] hover:text-fg-1 hover:underline max-md:-my-3 max-md:py-3"
          title={name}
        >
          {t("askedByScheduleNamed", { name })}
        </Link>
      )}
    </p>
  );
}
