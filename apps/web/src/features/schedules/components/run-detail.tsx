import {
  mostMissedRuns,
  type DeniedCall,
  type ScheduleRunWire,
  type ScheduleWire,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquare, ShieldAlert, ShieldCheck, Square, Workflow } from "lucide-react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { ApprovalText } from "../../../components/flow-approvals.tsx";
import { Button, buttonStyles } from "../../../components/ui/button.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { useApprovalWords } from "../../../lib/approvals.ts";
import { joinFacts } from "../../../lib/format.ts";
import { sayTime } from "../../../lib/schedule-words.ts";
import { isGoing } from "../../../lib/schedules.ts";
import { toast } from "../../../lib/toast.ts";
import { resultQuery, useAllowCall, useCancelRun } from "../api/schedules.ts";
import { useIsOwner } from "./use-schedule-actions.tsx";

/** What came of a run: why it failed, what it missed and was denied, its result and where it is. */
export function RunDetail({
  id,
  schedule,
  run,
}: {
  id: string;
  schedule: ScheduleWire;
  run: ScheduleRunWire;
}) {
  const { t } = useTranslation("schedules");
  const isMine = useIsOwner()(schedule);
  const cancel = useCancelRun(schedule.id);
  const zone = schedule.timing.timeZone;
  const isLive = isGoing(run.state);
  const hasText = run.state === "done" || run.state === "unchanged";
  return (
    <div id={id} className="grid grid-cols-1 gap-4 px-4 pt-1 pb-4 max-md:px-3">
      <p className="text-xs text-fg-3 tabular-nums">
        {t("runDue", { time: sayTime(run.dueAt, zone, true) })}
      </p>
      {run.fault !== null && (
        <Notice kind={run.state === "failed" ? "bad" : "plain"}>
          <FaultText fault={run.fault} fallback={t("unknownFault")} />
        </Notice>
      )}
      {run.state === "unchanged" && <p className="text-fg-2">{t("unchangedHelp")}</p>}
      {run.missedCount > 0 && <Missed run={run} zone={zone} />}
      {run.denied.length > 0 && <Denied scheduleId={schedule.id} run={run} isMine={isMine} />}
      {hasText &&
        (isMine ? (
          <Result scheduleId={schedule.id} runId={run.id} />
        ) : (
          <p className="text-fg-3">{t("resultPrivate")}</p>
        ))}
      {run.webhook !== null && <Delivery webhook={run.webhook} />}
      <div className="flex flex-wrap items-center gap-2 empty:hidden">
        {run.threadSlug !== null && schedule.workspaceSlug !== null && isMine && (
          <Link
            className={buttonStyles()}
            to="/workspace/$workspaceSlug/t/$threadSlug"
            params={{ workspaceSlug: schedule.workspaceSlug, threadSlug: run.threadSlug }}
          >
            <MessageSquare className="size-3.5 stroke-2" aria-hidden="true" />
            {t("openThread")}
          </Link>
        )}
        {run.flowRunId !== null && (
          <Link className={buttonStyles()} to="/flows" search={{ run: run.flowRunId }}>
            <Workflow className="size-3.5 stroke-2" aria-hidden="true" />
            {t("openRun")}
          </Link>
        )}
        {isLive && (
          <Button
            disabled={cancel.isPending}
            onClick={() =>
              cancel.mutate(run.id, { onSuccess: () => toast.success(t("cancelled")) })
            }
          >
            <Square className="size-3.5 stroke-2" aria-hidden="true" />
            {t("cancelRun")}
          </Button>
        )}
      </div>
    </div>
  );
}

function Missed({ run, zone }: { run: ScheduleRunWire; zone: string }) {
  const { t } = useTranslation("schedules");
  const isCutOff = run.missedCount >= mostMissedRuns;
  const further = run.missedCount - run.missedTimes.length;
  return (
    <section className="grid grid-cols-1 gap-1">
      <h4 className="font-medium">
        {t(isCutOff ? "missedMany" : "missed", { count: run.missedCount })}
      </h4>
      <ul className="grid grid-cols-1 text-fg-2 tabular-nums">
        {run.missedTimes.map((time) => (
          <li key={time}>{sayTime(time, zone)}</li>
        ))}
        {further > 0 && (
          <li className="text-fg-3">
            {t(isCutOff ? "missedEarlier" : "missedMore", { count: further })}
          </li>
        )}
      </ul>
    </section>
  );
}

function Denied({
  scheduleId,
  run,
  isMine,
}: {
  scheduleId: string;
  run: ScheduleRunWire;
  isMine: boolean;
}) {
  const { t } = useTranslation("schedules");
  return (
    <section className="grid grid-cols-1 gap-2">
      <div>
        <h4 className="font-medium">{t("deniedTitle")}</h4>
        <p className="text-fg-2">{t("deniedText")}</p>
      </div>
      <ul className="grid grid-cols-1 divide-y divide-line rounded-md border border-line">
        {run.denied.map((denied, place) => (
          <Call
            key={place}
            denied={denied}
            scheduleId={scheduleId}
            runId={run.id}
            place={place}
            isMine={isMine}
          />
        ))}
      </ul>
    </section>
  );
}

function Call({
  denied,
  scheduleId,
  runId,
  place,
  isMine,
}: {
  denied: DeniedCall;
  scheduleId: string;
  runId: string;
  place: number;
  isMine: boolean;
}) {
  const { t } = useTranslation("schedules");
  const { sayApproval } = useApprovalWords();
  const allow = useAllowCall(scheduleId);
  const Icon = denied.isAllowed ? ShieldCheck : ShieldAlert;
  return (
    <li className="grid grid-cols-1 gap-2 p-3" data-denied>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-2">
        <Icon
          className={
            denied.isAllowed ? "size-4 flex-none text-success" : "size-4 flex-none text-warning"
          }
          aria-hidden="true"
        />
        <ApprovalText approval={denied} />
        {denied.isAllowed ? (
          <span className="text-xs text-fg-3">{t("allowed")}</span>
        ) : (
          isMine && (
            <Button
              size="sm"
              aria-label={t("allowOf", { call: sayApproval(denied) })}
              disabled={allow.isPending}
              onClick={() =>
                allow.mutate({ runId, place }, { onSuccess: () => toast.success(t("allowed")) })
              }
            >
              {t("allow")}
            </Button>
          )
        )}
      </div>
      {denied.details.length > 0 && (
        <dl className="grid grid-cols-1 gap-1.5 ps-6.5 max-md:ps-0">
          {denied.details.map(({ label, value }, index) => (
            <div key={index} className="grid min-w-0 grid-cols-1">
              <dt className="text-xs text-fg-3 wrap-anywhere first-letter:uppercase">{label}</dt>
              <dd
                className="max-h-32 overflow-auto wrap-anywhere whitespace-pre-wrap"
                dir="auto"
                tabIndex={value.length > 400 ? 0 : undefined}
              >
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </li>
  );
}

function Result({ scheduleId, runId }: { scheduleId: string; runId: string }) {
  const { t } = useTranslation("schedules");
  const { data, error, isPending } = useQuery(resultQuery(scheduleId, runId));
  if (error) return <p className="text-danger">{error.message}</p>;
  if (isPending)
    return (
      <div className="grid gap-3" role="status" aria-label={t("resultLoading")}>
        <Skeleton className="w-4/5" />
        <Skeleton className="w-3/5" />
      </div>
    );
  if (data === null || data === "") return <p className="text-fg-3">{t("resultNone")}</p>;
  return (
    <section className="grid grid-cols-1 gap-1.5">
      <h4 className="font-medium">{t("result")}</h4>
      <div
        className="max-h-96 overflow-auto rounded-md border border-subtle bg-sunken px-4 py-3 wrap-anywhere whitespace-pre-wrap"
        dir="auto"
        role="region"
        aria-label={t("result")}
        tabIndex={0}
      >
        {data}
      </div>
    </section>
  );
}

function Delivery({ webhook }: { webhook: NonNullable<ScheduleRunWire["webhook"]> }) {
  const { t } = useTranslation("schedules");
  return (
    <div className="text-fg-2">
      <p>
        {joinFacts([
          t(`webhookState.${webhook.state}`),
          webhook.status !== null && t("webhookStatus", { status: webhook.status }),
          webhook.attempts > 0 && t("attempts", { count: webhook.attempts }),
        ])}
      </p>
      {webhook.fault !== null && (
        <p className="text-danger">
          <FaultText fault={webhook.fault} fallback={t("webhookState.failed")} />
        </p>
      )}
    </div>
  );
}
