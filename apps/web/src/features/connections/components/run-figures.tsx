import type { ConnectionRunWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../../../lib/format.ts";
import type { ItemState } from "../api/connections.ts";

const states = ["fetched", "unchanged", "skipped", "failed"] as const;

/** How many items became what; each number lists its items below. */
export function RunFigures({
  run,
  state,
  onState,
}: {
  run: ConnectionRunWire;
  /** The listed items; null: all. */
  state: ItemState | null;
  onState: (state: ItemState | null) => void;
}) {
  const { t } = useTranslation("connections");
  const figures = [
    { of: null, label: t("figure.found"), count: run.found },
    ...states.map((of) => ({ of, label: t(`figure.${of}`), count: run[of] })),
  ];
  return (
    <div
      className="grid grid-cols-5 gap-2 max-md:grid-cols-3"
      role="group"
      aria-label={t("figure.label")}
    >
      {figures.map(({ of, label, count }) => (
        <button
          key={label}
          type="button"
          className="grid gap-0.5 max-md:first:col-span-2 rounded-sm border border-line bg-surface px-3 py-2 text-start hover:border-strong hover:bg-hover aria-pressed:border-accent-solid aria-pressed:bg-accent-subtle"
          aria-pressed={of === state}
          onClick={() => onState(of)}
        >
          <span className="text-xs text-fg-2">{label}</span>
          <span
            className={
              of === "failed" && count > 0
                ? "text-lg/6 font-semibold text-danger tabular-nums"
                : "text-lg/6 font-semibold tabular-nums"
            }
          >
            {formatNumber(count)}
          </span>
        </button>
      ))}
    </div>
  );
}
