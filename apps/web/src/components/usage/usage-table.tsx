import type { UsageGrouping, UsageReport } from "@carrel/contracts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatKnownCost, listMedia } from "../../lib/format-usage.ts";
import { formatNumber } from "../../lib/format.ts";

type Group = UsageReport["groups"][number];

const number = "ps-3 text-end tabular-nums whitespace-nowrap";

/** Answers, tokens and cost of each group of a report. */
export function UsageTable({
  label,
  by,
  groups,
  isBusy,
  renderName,
}: {
  label: string;
  by: UsageGrouping;
  groups: Group[];
  isBusy: boolean;
  renderName: (group: Group) => ReactNode;
}) {
  const { t } = useTranslation("usage");
  const hasMedia = groups.some((group) => listMedia(group).length > 0);
  const columns = (["answers", "prompt", "answer", "other", "cost"] as const).filter(
    (column) => hasMedia || column !== "other",
  );
  return (
    <div
      className="overflow-x-auto"
      tabIndex={0}
      role="region"
      aria-label={label}
      aria-busy={isBusy}
    >
      <table className="w-full border-collapse text-sm">
        <thead className="text-xs text-fg-3">
          <tr>
            <th className="pb-2 text-start font-normal">{t(`by.${by}`)}</th>
            {columns.map((column) => (
              <th key={column} className={`${number} pb-2 font-normal`}>
                {t(`column.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={group.key ?? ""} className="border-t border-subtle">
              <th className="max-w-[280px] truncate py-2 text-start font-normal" scope="row">
                {renderName(group)}
              </th>
              <td className={number}>{formatNumber(group.answers)}</td>
              <td className={number}>{formatNumber(group.inputTokens)}</td>
              <td className={number}>{formatNumber(group.outputTokens)}</td>
              {hasMedia && (
                <td className={number}>
                  {listMedia(group)
                    .map(({ kind, ...amounts }) => t(`media.${kind}.amount`, amounts))
                    .join(", ")}
                </td>
              )}
              <td className={number}>{formatKnownCost(group) ?? t("costUnknown")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
