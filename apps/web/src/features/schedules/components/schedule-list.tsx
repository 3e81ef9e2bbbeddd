import type { ListedScheduleWire } from "@carrel/contracts";
import { Link } from "@tanstack/react-router";
import { Ellipsis, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { IconButton } from "../../../components/ui/button.tsx";
import { Switch } from "../../../components/ui/choices.tsx";
import type { MenuItem } from "../../../components/ui/dropdown-menu.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { cn } from "../../../lib/cn.ts";
import { useCronWords } from "../../../lib/cron-words.ts";
import { formatAgo } from "../../../lib/format.ts";
import { sayTime, sayTiming, sayUntil } from "../../../lib/schedule-words.ts";
import { kindIcons } from "./kind-icon.ts";
import { RunState } from "./run-state.tsx";
import { useIsOwner } from "./use-schedule-actions.tsx";

/** Schedules with their next and last runs, each with its switch and menu. */
export function ScheduleList({
  schedules,
  workspaceOf,
  ownerOf,
  menuOf,
  onActive,
}: {
  schedules: readonly ListedScheduleWire[];
  workspaceOf: (schedule: ListedScheduleWire) => string;
  /** null: owners aren't shown. */
  ownerOf: ((schedule: ListedScheduleWire) => string) | null;
  menuOf: (schedule: ListedScheduleWire) => MenuItem[];
  onActive: (schedule: ListedScheduleWire, active: boolean) => void;
}) {
  const { t } = useTranslation("schedules");
  const isOwner = useIsOwner();
  return (
    <ul
      className="grid grid-cols-1 divide-y divide-subtle rounded-md border border-line bg-surface"
      aria-label={t("list")}
    >
      {schedules.map((schedule) => (
        <ScheduleRow
          key={schedule.id}
          schedule={schedule}
          workspace={workspaceOf(schedule)}
          owner={ownerOf?.(schedule) ?? null}
          isFixed={!schedule.active && !isOwner(schedule)}
          items={menuOf(schedule)}
          onActive={(active) => onActive(schedule, active)}
        />
      ))}
    </ul>
  );
}

function ScheduleRow({
  schedule,
  workspace,
  owner,
  isFixed,
  items,
  onActive,
}: {
  schedule: ListedScheduleWire;
  workspace: string;
  owner: string | null;
  /** Whether the person may not switch it on. */
  isFixed: boolean;
  items: MenuItem[];
  onActive: (active: boolean) => void;
}) {
  const { t } = useTranslation("schedules");
  useCronWords();
  const { name, work, timing, active, nextAt, lastRun } = schedule;
  const Icon = kindIcons()[work.kind];
  return (
    <li
      className="relative grid grid-cols-[minmax(0,1fr)_176px_156px_auto] items-center gap-x-5 gap-y-2 py-3 ps-4 pe-2 hover:bg-hover max-lg:grid-cols-[minmax(0,1fr)_150px_auto] max-md:grid-cols-[minmax(0,1fr)_auto] max-md:ps-3"
      data-schedule={schedule.id}
    >
      <div className="flex min-w-0 items-start gap-3">
        <span
          className={cn(
            "grid size-8 flex-none place-items-center rounded-md bg-accent-subtle text-accent",
            !active && "bg-active text-fg-3",
          )}
        >
          <Icon className="size-4" aria-hidden="true" />
        </span>
        <div className="min-w-0">
          <p className="flex min-w-0 flex-wrap items-center gap-x-2">
            <Link
              to="/schedules/{-$scheduleId}"
              params={{ scheduleId: schedule.id }}
              // Its whole row is the target, except for the switch and the menu.
              className="min-w-0 rounded-[3px] font-medium wrap-anywhere before:absolute before:inset-0 hover:underline"
            >
              {name}
            </Link>
            {!active && (
              <Badge tone={schedule.pausedReason ? "warning" : "neutral"}>{t("paused")}</Badge>
            )}
          </p>
          <p className="text-fg-2">
            {sayTiming(t, timing)} <span className="text-fg-3">{timing.timeZone}</span>
          </p>
          <Line
            parts={[
              t(`kind.${work.kind}`),
              workspace,
              owner !== null && t("of", { name: owner }),
              schedule.byAgent && t("byAgent"),
            ]}
          />
        </div>
      </div>
      <div className="min-w-0 text-xs max-md:col-start-1 max-md:ps-11">
        {active && nextAt !== null ? (
          <>
            <span className="block text-fg-3 max-md:me-1 max-md:inline">{t("next")}</span>
            <span
              className="block font-medium max-md:inline"
              title={sayTime(nextAt, timing.timeZone)}
            >
              {sayUntil(t, nextAt)}
            </span>
            <time dateTime={nextAt} className="block text-fg-2 tabular-nums max-md:hidden">
              {sayTime(nextAt, timing.timeZone)}
            </time>
          </>
        ) : active ? (
          <span className="text-fg-3">{t("nextNone")}</span>
        ) : (
          schedule.pausedReason && (
            <span className="text-warning">
              <FaultText fault={schedule.pausedReason} fallback={t("paused")} />
            </span>
          )
        )}
      </div>
      <div className="min-w-0 text-xs max-lg:hidden max-md:col-start-1 max-md:block max-md:ps-11">
        {lastRun === null ? (
          <span className="text-fg-3">{t("neverRun")}</span>
        ) : (
          <>
            <span className="flex flex-wrap items-center gap-x-2">
              <RunState state={lastRun.state} />
              <span className="text-fg-3 tabular-nums">
                {formatAgo(lastRun.endedAt ?? lastRun.dueAt)}
              </span>
            </span>
            {lastRun.deniedCount > 0 && (
              <span className="mt-0.5 flex items-center gap-1.5 text-warning">
                <ShieldAlert className="size-4 flex-none" aria-hidden="true" />
                {t("deniedCount", { count: lastRun.deniedCount })}
              </span>
            )}
          </>
        )}
      </div>
      <div className="relative flex items-center gap-2 max-lg:col-start-3 max-lg:row-start-1 max-md:col-start-2 max-md:self-start">
        <Switch
          checked={active}
          disabled={isFixed}
          aria-label={t(active ? "turnOff" : "turnOn", { name })}
          onChange={onActive}
        />
        <Menu
          trigger={
            <IconButton className="max-md:size-10" label={t("menu.of", { name })}>
              <Ellipsis />
            </IconButton>
          }
          items={items}
        />
      </div>
    </li>
  );
}

/** Short facts in one line. */
const Line = ({ parts }: { parts: readonly (ReactNode | false)[] }) => (
  <p className="flex flex-wrap gap-x-1.5 text-xs text-fg-3">
    {parts.filter(Boolean).map((part, index) => (
      <span key={index} className="flex gap-x-1.5">
        {index > 0 && <span aria-hidden="true">·</span>}
        {part}
      </span>
    ))}
  </p>
);
