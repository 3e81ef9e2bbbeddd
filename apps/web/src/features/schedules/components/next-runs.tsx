import type { ScheduleTiming } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { sayTime, sayUntil } from "../../../lib/schedule-words.ts";
import { previewQuery } from "../api/schedules.ts";

/** The next times of a timing, as the server determines them. */
export function NextRuns({ timing }: { timing: ScheduleTiming }) {
  const { t } = useTranslation("schedules");
  const { data, error, isPending } = useQuery(previewQuery(timing));
  if (error) return <p className="text-danger">{error.message}</p>;
  if (isPending)
    return (
      <div
        className="grid h-30 content-start gap-3.5 pt-2"
        role="status"
        aria-label={t("form.previewLoading")}
      >
        {[64, 58, 61].map((width) => (
          <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  if (data.length === 0) return <p className="text-fg-3">{t("nextNone")}</p>;
  return (
    <ol className="grid grid-cols-1" data-next-runs>
      {data.map((at) => (
        <li key={at} className="flex min-h-6 flex-wrap items-baseline gap-x-3 text-sm">
          <time dateTime={at} className="tabular-nums">
            {sayTime(at, timing.timeZone, true)}
          </time>
          <span className="ms-auto text-xs text-fg-3">{sayUntil(t, at)}</span>
        </li>
      ))}
    </ol>
  );
}
