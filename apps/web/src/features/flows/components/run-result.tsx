import type { FlowStepRun } from "@carrel/contracts";
import { clsx } from "clsx";
import { useTranslation } from "react-i18next";
import { translateFault } from "../../../lib/fault.ts";
import { formatSeconds } from "../../../lib/format.ts";

const tones: Record<FlowStepRun["state"], string> = {
  done: "text-success",
  failed: "text-danger",
  skipped: "text-fg-3",
  denied: "text-warning",
};

/** Whether a block ran, and how long it took. */
export function StepState({ run }: { run: FlowStepRun }) {
  const { t } = useTranslation("flows");
  return (
    <span
      className={clsx("flex-none text-xs whitespace-nowrap tabular-nums", tones[run.state])}
      data-run-state={run.state}
    >
      {t(`run.state.${run.state}`)}
      {run.state === "done" && ` · ${formatSeconds(run.milliseconds / 1_000)}`}
    </span>
  );
}

/** What a block returned, or why it failed. */
export function RunResult({
  run,
  name,
  title,
}: {
  run: Pick<FlowStepRun, "result" | "fault">;
  name: string;
  title?: string;
}) {
  const { t } = useTranslation("flows");
  const fault = run.fault === null ? null : (translateFault(run.fault) ?? run.fault.code);
  return (
    <div className="grid grid-cols-1 gap-1.5">
      {title !== undefined && <h3 className="text-xs font-medium text-fg-2">{title}</h3>}
      {fault !== null && <p className="text-xs text-danger wrap-anywhere">{fault}</p>}
      {run.result !== "" ? (
        <pre
          className="max-h-60 overflow-auto rounded-sm bg-sunken px-3 py-2 font-mono text-xs/5 wrap-anywhere whitespace-pre-wrap scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent"
          // Scrolls with the keyboard, too.
          tabIndex={0}
          role="region"
          aria-label={t("run.result", { name })}
          dir="auto"
        >
          {run.result}
        </pre>
      ) : (
        fault === null && <p className="text-xs text-fg-3">{t("run.noResult")}</p>
      )}
    </div>
  );
}
