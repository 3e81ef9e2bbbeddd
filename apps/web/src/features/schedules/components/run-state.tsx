import type { ScheduleRunState } from "@carrel/contracts";
import { CircleCheck, CircleMinus, CircleSlash, CircleX, Equal } from "lucide-react";
import { useTranslation } from "react-i18next";
import { LiveDots } from "../../../components/ui/progress.tsx";
import { cn } from "../../../lib/cn.ts";
import { isGoing } from "../../../lib/schedules.ts";

/** A function, because the chunk with the icons may be evaluated after this module. */
const looks = () =>
  ({
    done: [CircleCheck, "text-success"],
    unchanged: [Equal, "text-fg-3"],
    failed: [CircleX, "text-danger"],
    cancelled: [CircleSlash, "text-fg-3"],
    skipped: [CircleMinus, "text-warning"],
  }) as const;

/** A run's state as an icon and a word. */
export function RunState({ state, className }: { state: ScheduleRunState; className?: string }) {
  const { t } = useTranslation("schedules");
  const [Icon, tone] =
    state === "due" || state === "running" ? [null, "text-accent"] : looks()[state];
  return (
    <span
      className={cn("inline-flex items-center gap-1.5 whitespace-nowrap", className)}
      data-run-state={state}
    >
      {Icon === null ? (
        <LiveDots className="w-4 justify-center" />
      ) : (
        <Icon className={cn("size-4 flex-none stroke-2", tone)} aria-hidden="true" />
      )}
      <span className={cn(isGoing(state) && "text-accent")}>{t(`state.${state}`)}</span>
    </span>
  );
}
