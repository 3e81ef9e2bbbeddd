import type { ConnectionRunWire } from "@carrel/contracts";
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  Clock,
  TriangleAlert,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { FaultText } from "../../../components/fault-text.tsx";
import { ProgressBar } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatNumber, formatPercent, formatTime } from "../../../lib/format.ts";
import { countDone } from "../state/run-figures.ts";

/** When the source lets Carrel continue, if it asked to wait. */
const waitsUntil = ({ state, waitsUntil }: ConnectionRunWire): number | null =>
  waitsUntil !== null && (state === "running" || state === "queued")
    ? Date.parse(waitsUntil)
    : null;

/** A run's state in words. */
export function useRunWords(run: ConnectionRunWire | null): string {
  const { t } = useTranslation("connections");
  if (run === null) return t("state.none");
  const counts = { done: formatNumber(countDone(run)), found: formatNumber(run.found) };
  const until = waitsUntil(run);
  if (until !== null) return t("state.waiting", { time: formatTime(until) });
  switch (run.state) {
    case "queued":
      return t("state.queued");
    case "running":
      return run.found === 0
        ? t("state.looking")
        : t(run.isListed ? "state.running" : "state.listing", counts);
    case "paused":
      return t("state.paused", counts);
    case "cancelled":
      return t("state.cancelled", counts);
    case "failed":
      return t("state.failed");
    case "finished":
      return run.failed > 0
        ? t("state.finishedFailed", { count: run.failed })
        : t("state.finished");
  }
}

function lookOf(run: ConnectionRunWire | null): { icon: LucideIcon; color: string } | null {
  if (run === null) return { icon: CircleDashed, color: "text-fg-3" };
  if (waitsUntil(run) !== null || run.state === "queued")
    return { icon: Clock, color: "text-fg-3" };
  switch (run.state) {
    case "running":
      return null;
    case "paused":
      return { icon: CirclePause, color: "text-fg-3" };
    case "cancelled":
      return { icon: Ban, color: "text-fg-3" };
    case "failed":
      return { icon: CircleAlert, color: "text-danger" };
    case "finished":
      return run.failed > 0
        ? { icon: TriangleAlert, color: "text-warning" }
        : { icon: CircleCheck, color: "text-success" };
  }
}

/** How a source's last import stands, with a bar while it runs and the reason if it failed. */
export function RunState({
  run,
  large = false,
}: {
  run: ConnectionRunWire | null;
  large?: boolean;
}) {
  const words = useRunWords(run);
  const look = lookOf(run);
  const shown = run !== null && (run.state === "running" || run.state === "paused") ? run : null;
  const fraction = shown === null || shown.found === 0 ? null : countDone(shown) / shown.found;
  return (
    <div className={cn("grid min-w-0 gap-[5px]", !large && "text-xs text-fg-2")}>
      <span className={cn("flex items-center gap-1.5", large && "font-medium")}>
        {look && (
          <look.icon className={cn("size-3.5 flex-none stroke-2", look.color)} aria-hidden="true" />
        )}
        <span className="min-w-0 flex-1 tabular-nums">{words}</span>
        {fraction !== null && shown?.isListed && (
          <span className="text-fg-3 tabular-nums">{formatPercent(fraction)}</span>
        )}
      </span>
      {fraction !== null && <ProgressBar value={fraction} label={words} />}
      {!large && run?.state === "failed" && run.fault && (
        <span className="text-danger">
          <FaultText fault={run.fault} fallback="" />
        </span>
      )}
    </div>
  );
}
