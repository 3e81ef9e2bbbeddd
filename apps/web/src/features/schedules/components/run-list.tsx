import { mostMissedRuns, type ScheduleRunWire, type ScheduleWire } from "@carrel/contracts";
import { useInfiniteQuery } from "@tanstack/react-query";
import { ChevronRight, ShieldAlert } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatAgo, formatDuration } from "../../../lib/format.ts";
import { sayTime, sayUntil } from "../../../lib/schedule-words.ts";
import { runsQuery } from "../api/schedules.ts";
import { RunDetail } from "./run-detail.tsx";
import { RunState } from "./run-state.tsx";

/** The runs of a schedule, latest first; one of them can be open. */
export function RunList({
  schedule,
  open,
  onOpen,
}: {
  schedule: ScheduleWire;
  /** A run's ID. */
  open: string | null;
  onOpen: (run: string | null) => void;
}) {
  const { t } = useTranslation("schedules");
  const query = useInfiniteQuery(runsQuery(schedule.id));
  const runs = query.data?.pages.flatMap((page) => page.runs) ?? [];
  if (query.error && runs.length === 0)
    return (
      <FailedQuery
        title={t("runsFailed")}
        retryLabel={t("retry")}
        error={query.error}
        retry={() => void query.refetch()}
      />
    );
  if (query.isPending)
    return (
      <div className="grid gap-4 py-3" role="status" aria-busy="true" aria-label={t("loading")}>
        <Skeleton className="w-1/2" />
        <Skeleton className="w-2/5" />
      </div>
    );
  if (runs.length === 0)
    return (
      <div className="rounded-md border border-dashed border-line px-4 py-6 text-center">
        <p className="font-medium">{t("noRuns")}</p>
        <p className="text-fg-2">
          {schedule.active && schedule.nextAt !== null
            ? t("noRunsText", { when: sayUntil(t, schedule.nextAt) })
            : t("noRunsPaused")}
        </p>
      </div>
    );
  return (
    <div className="grid grid-cols-1 gap-3">
      <ul
        className="grid grid-cols-1 divide-y divide-subtle rounded-md border border-line bg-surface"
        aria-label={t("runs")}
      >
        {runs.map((run) => (
          <Run
            key={run.id}
            schedule={schedule}
            run={run}
            isOpen={open === run.id}
            onToggle={() => onOpen(open === run.id ? null : run.id)}
          />
        ))}
      </ul>
      {query.hasNextPage && (
        <div>
          <Button disabled={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t("older")}
          </Button>
        </div>
      )}
    </div>
  );
}

function Run({
  schedule,
  run,
  isOpen,
  onToggle,
}: {
  schedule: ScheduleWire;
  run: ScheduleRunWire;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const { t } = useTranslation("schedules");
  const panel = useId();
  const { state, startedAt, endedAt, reason, denied, missedCount } = run;
  const refused = denied.filter(({ isAllowed }) => !isAllowed).length;
  const milliseconds =
    startedAt !== null && endedAt !== null ? Date.parse(endedAt) - Date.parse(startedAt) : null;
  return (
    <li className="min-w-0" data-run={run.id}>
      <button
        type="button"
        className="flex min-h-12 w-full items-center gap-x-3 rounded-md px-4 py-2 text-start hover:bg-hover max-md:px-3"
        aria-expanded={isOpen}
        aria-controls={isOpen ? panel : undefined}
        onClick={onToggle}
      >
        <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <RunState state={state} className="w-28 font-medium max-md:w-auto" />
          <span className="flex flex-wrap items-center gap-1.5">
            {reason !== "due" && <Badge>{t(`reason.${reason}`)}</Badge>}
            {reason !== "late" && missedCount > 0 && (
              <Badge tone="warning">
                {t(missedCount < mostMissedRuns ? "missed" : "missedMany", { count: missedCount })}
              </Badge>
            )}
            {refused > 0 && (
              <Badge tone="warning">
                <ShieldAlert className="size-3" aria-hidden="true" />
                {t("deniedCount", { count: refused })}
              </Badge>
            )}
            {run.webhook?.state === "failed" && (
              <Badge tone="danger">{t("webhookState.failed")}</Badge>
            )}
          </span>
          <span className="ms-auto flex gap-3 text-xs text-fg-3 tabular-nums max-md:ms-0 max-md:w-full">
            {milliseconds !== null && <span>{formatDuration(milliseconds)}</span>}
            <time dateTime={run.dueAt} title={sayTime(run.dueAt, schedule.timing.timeZone)}>
              {formatAgo(run.dueAt)}
            </time>
          </span>
        </span>
        <ChevronRight
          className={cn(
            "size-4 flex-none text-fg-3 transition-transform duration-150 motion-reduce:transition-none rtl:-scale-x-100",
            isOpen && "rotate-90 rtl:-rotate-90",
          )}
          aria-hidden="true"
        />
      </button>
      {isOpen && <RunDetail id={panel} schedule={schedule} run={run} />}
    </li>
  );
}
