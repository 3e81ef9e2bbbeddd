import type { UsageReport } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/cn.ts";
import { formatKnownCost, listMedia } from "../../lib/format-usage.ts";
import { formatNumber, formatSeconds } from "../../lib/format.ts";

export function UsageTiles({
  totals,
  isNarrow = false,
}: {
  totals: UsageReport["totals"];
  /** Two columns at most, for a dialog. */
  isNarrow?: boolean;
}) {
  const { t } = useTranslation("usage");
  const { medianFirstTokenMs: median } = totals;
  const tiles = [
    {
      name: t("tokens"),
      value: formatNumber(totals.inputTokens + totals.outputTokens),
      detail: t("tokensDetail", {
        input: formatNumber(totals.inputTokens),
        output: formatNumber(totals.outputTokens),
      }),
    },
    {
      name: t("cost"),
      value: formatKnownCost(totals) ?? t("costUnknown"),
      detail: totals.unpriced === 0 ? t("costAll") : t("unpriced", { count: totals.unpriced }),
    },
    {
      name: t("answers"),
      value: formatNumber(totals.answers),
      detail: totals.failed === 0 ? t("noneFailed") : t("failed", { count: totals.failed }),
    },
    {
      name: t("firstToken"),
      value: median === null ? "–" : formatSeconds(median / 1000),
      detail: median === null ? t("noAnswers") : t("median"),
    },
  ];
  for (const { kind, amount } of listMedia(totals))
    tiles.push({
      name: t(`media.${kind}.name`),
      value: amount,
      detail: t(`media.${kind}.unit`),
    });
  return (
    <dl className={cn("grid grid-cols-2 gap-3", !isNarrow && "lg:grid-cols-4")}>
      {tiles.map(({ name, value, detail }) => (
        <div key={name} className="grid min-w-0 rounded-md border border-line bg-raised px-4 py-3">
          <dt className="text-xs text-fg-3">{name}</dt>
          <dd className="truncate text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className="text-xs text-fg-3 tabular-nums">{detail}</dd>
        </div>
      ))}
    </dl>
  );
}
