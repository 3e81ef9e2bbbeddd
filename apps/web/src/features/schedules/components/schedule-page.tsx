import type { ScheduleWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { CalendarClock, Ellipsis, Pencil, Play, Zap } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useFaultText } from "../../../components/fault-text.tsx";
import { ApprovalText } from "../../../components/flow-approvals.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, IconButton, buttonStyles } from "../../../components/ui/button.tsx";
import { PageBody } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Menu } from "../../../components/ui/overlays.tsx";
import { cn } from "../../../lib/cn.ts";
import { useCronWords } from "../../../lib/cron-words.ts";
import { sayTiming } from "../../../lib/schedule-words.ts";
import { isGoing } from "../../../lib/schedules.ts";
import { sharedFlowsQuery } from "../../../lib/shared-flows.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { kindIcons } from "./kind-icon.ts";
import { NextRuns } from "./next-runs.tsx";
import { RunList } from "./run-list.tsx";
import { useIsOwner, useScheduleActions } from "./use-schedule-actions.tsx";

/** A schedule: what it does, its next runs, and what became of the earlier ones. */
export function SchedulePage({
  schedule,
  run,
  onRun,
}: {
  schedule: ScheduleWire;
  /** The run that is open. */
  run: string | null;
  onRun: (run: string | null) => void;
}) {
  const { t } = useTranslation("schedules");
  useCronWords();
  const navigate = useNavigate();
  const isMine = useIsOwner()(schedule);
  const actions = useScheduleActions({
    onDeleted: () => void navigate({ to: "/schedules/{-$scheduleId}", params: {}, search: {} }),
  });
  const Icon = kindIcons()[schedule.work.kind];
  return (
    <PageBody>
      <div className="mx-auto grid max-w-[1040px] grid-cols-1 gap-6">
        <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
          <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
            <span className="grid size-10 flex-none place-items-center rounded-md bg-accent-subtle text-accent">
              <Icon aria-hidden="true" />
            </span>
            <div className="min-w-0">
              <h2 className="flex flex-wrap items-center gap-x-2.5 text-xl font-semibold tracking-tight wrap-anywhere">
                {schedule.name}
                <Badge tone={schedule.active ? "success" : "neutral"}>
                  {t(schedule.active ? "active" : "paused")}
                </Badge>
              </h2>
              <p className="text-fg-2">
                {sayTiming(t, schedule.timing)}{" "}
                <span className="text-fg-3">{schedule.timing.timeZone}</span>
              </p>
            </div>
          </div>
          <div className="flex items-center gap-2 max-md:w-full max-md:[&>:is(a,button)]:h-11 max-md:[&>:is(a,button)]:flex-1 max-md:[&>[data-slot]]:flex-none">
            {isMine && (
              <>
                <Button
                  variant="primary"
                  disabled={actions.isStarting || isGoing(schedule.lastRun?.state)}
                  onClick={() => actions.run(schedule)}
                >
                  <Zap className="size-3.5 stroke-2" aria-hidden="true" />
                  {t("runNow")}
                </Button>
                <Link
                  className={buttonStyles()}
                  to="/schedules/{-$scheduleId}"
                  params={{ scheduleId: schedule.id }}
                  search={{ edit: true }}
                >
                  <Pencil className="size-3.5 stroke-2" aria-hidden="true" />
                  {t("edit")}
                </Link>
              </>
            )}
            <Menu
              trigger={
                <IconButton
                  className="size-8 max-md:size-11"
                  label={t("menu.of", { name: schedule.name })}
                >
                  <Ellipsis />
                </IconButton>
              }
              items={actions
                .menuOf(schedule)
                .filter(({ label }) => label !== t("menu.run") && label !== t("menu.edit"))}
            />
          </div>
        </header>
        {!schedule.active && (
          <Paused
            schedule={schedule}
            onResume={isMine ? () => actions.setActive(schedule, true) : null}
          />
        )}
        <div className="grid grid-cols-[minmax(0,1fr)_320px] grid-rows-[auto_1fr] items-start gap-x-6 gap-y-4 max-lg:grid-cols-1 max-lg:grid-rows-none max-lg:gap-y-6">
          <section
            className="grid grid-cols-1 gap-3 max-lg:order-2 lg:col-start-1 lg:row-span-2 lg:row-start-1"
            aria-label={t("runs")}
          >
            <h3 className="text-md font-semibold">{t("runs")}</h3>
            <RunList schedule={schedule} open={run} onOpen={onRun} />
          </section>
          {schedule.active && (
            <Card
              className="max-lg:order-1"
              title={t("nextRuns")}
              icon={<CalendarClock aria-hidden="true" />}
            >
              {schedule.nextAt === null ? (
                <p className="text-fg-3">{t("nextNone")}</p>
              ) : (
                <NextRuns timing={schedule.timing} />
              )}
            </Card>
          )}
          <Card className="max-lg:order-3" title={t("details")}>
            <Facts schedule={schedule} />
          </Card>
        </div>
      </div>
      {actions.dialogs}
    </PageBody>
  );
}

const Card = ({
  title,
  icon,
  className,
  children,
}: {
  title: string;
  className: string;
  icon?: ReactNode;
  children: ReactNode;
}) => (
  <section
    className={cn(
      "grid grid-cols-1 gap-2.5 rounded-md border border-line bg-surface px-4 py-3.5 lg:col-start-2",
      className,
    )}
    aria-label={title}
  >
    <h3 className="flex items-center gap-2 font-semibold [&_svg]:size-4 [&_svg]:text-fg-3">
      {icon}
      {title}
    </h3>
    {children}
  </section>
);

function Paused({ schedule, onResume }: { schedule: ScheduleWire; onResume: (() => void) | null }) {
  const { t } = useTranslation("schedules");
  const reason = useFaultText(schedule.pausedReason, t("pausedByHand"));
  return (
    <Notice
      kind={schedule.pausedReason === null ? "plain" : "warn"}
      action={
        onResume && (
          <Button size="sm" onClick={onResume}>
            <Play className="size-3.5 stroke-2" aria-hidden="true" />
            {t("resume")}
          </Button>
        )
      }
    >
      <p>
        <b>{t("pausedTitle")}</b>
      </p>
      <p>{reason}</p>
    </Notice>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid grid-cols-1">
    <dt className="text-xs text-fg-3">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
);

function Facts({ schedule }: { schedule: ScheduleWire }) {
  const { t } = useTranslation("schedules");
  const { work, delivery, approvals } = schedule;
  const workspace = useQuery(workspacesQuery).data?.find(
    ({ slug }) => slug === schedule.workspaceSlug,
  );
  const flows = useQuery({ ...sharedFlowsQuery, enabled: work.kind === "flow" }).data;
  const hasCalls = work.kind !== "prompt" || approvals.length > 0;
  return (
    <dl className="grid grid-cols-1 gap-3">
      {work.kind === "flow" ? (
        <>
          <Fact name={t("form.flow")}>
            {flows?.find(({ id }) => id === work.flowId)?.name ?? t("form.flowGone")}
          </Fact>
          {Object.entries(work.inputs).map(([name, value]) => (
            <Fact key={name} name={name}>
              <span className="line-clamp-4 whitespace-pre-wrap">{value}</span>
            </Fact>
          ))}
        </>
      ) : (
        <Fact name={t("form.prompt")}>
          <span className="line-clamp-8 whitespace-pre-wrap" dir="auto">
            {work.prompt}
          </span>
        </Fact>
      )}
      <Fact name={t("form.workspace")}>
        {workspace?.name ?? schedule.workspaceSlug ?? t("workspaceGone")}
      </Fact>
      {work.kind !== "flow" && work.model !== null && (
        <Fact name={t("form.model")}>{work.model.model ?? work.model.provider}</Fact>
      )}
      <Fact name={t("form.results")}>
        {t(`resultIn.${delivery.thread}`)}
        {delivery.webhook !== null && (
          // The rest of an address may hold a secret.
          <span className="block">
            {t("alsoWebhook", { host: new URL(delivery.webhook).host })}
          </span>
        )}
        {schedule.isWebhookUnreadable && (
          <span className="block text-warning">{t("webhookUnreadable")}</span>
        )}
        {delivery.onlyWhenChanged && <span className="block">{t("onlyChanged")}</span>}
      </Fact>
      <Fact name={t("ifMissed")}>
        {t(schedule.missed === "once" ? "ifMissedOnce" : "ifMissedSkip")}
      </Fact>
      {hasCalls && (
        <Fact name={t("mayTitle")}>
          {approvals.length === 0 ? (
            t("mayNothing")
          ) : (
            <ul className="grid grid-cols-1 gap-0.5">
              {approvals.map((approval) => (
                <li key={`${approval.tool} ${approval.destination}`} className="flex">
                  <ApprovalText
                    approval={approval}
                    flowId={work.kind === "flow" ? work.flowId : null}
                  />
                </li>
              ))}
            </ul>
          )}
        </Fact>
      )}
    </dl>
  );
}
