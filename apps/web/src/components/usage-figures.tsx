import { quotingProvider, type UsageGrouping, type UsageReport } from "@carrel/contracts";
import i18next from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../lib/cn.ts";
import { formatKnownCost, listMedia } from "../lib/format-usage.ts";
import { formatNumber, formatSeconds, joinPhrases } from "../lib/format.ts";
import { addTexts } from "../lib/i18n.ts";
import usage from "../locales/en/usage.json" with { type: "json" };

// Loaded with what shows usage, not with the first page.
addTexts("usage", usage);

/** The display name of a provider or model: the built-in answerer is neither. */
export const nameModel = (id: string): string =>
  id === quotingProvider ? i18next.t("usage:quoting") : id;

type Group = UsageReport["groups"][number];

const numberCell = "ps-3 text-end tabular-nums whitespace-nowrap";

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
              <th key={column} className={`${numberCell} pb-2 font-normal`}>
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
              <td className={numberCell}>{formatNumber(group.answers)}</td>
              <td className={numberCell}>{formatNumber(group.inputTokens)}</td>
              <td className={numberCell}>{formatNumber(group.outputTokens)}</td>
              {hasMedia && (
                <td className={numberCell}>
                  {joinPhrases(
                    listMedia(group).map(({ kind, ...amounts }) =>
                      t(`media.${kind}.amount`, amounts),
                    ),
                  )}
                </td>
              )}
              <td className={numberCell}>{formatKnownCost(group) ?? t("costUnknown")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

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
        <div
          key={name}
          className="grid min-w-0 content-start rounded-md border border-line bg-raised px-4 py-3"
        >
          <dt className="text-xs text-fg-3">{name}</dt>
          <dd className="truncate text-xl font-semibold tracking-tight tabular-nums">{value}</dd>
          <dd className="text-xs text-fg-3 tabular-nums">{detail}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A part of the page with a title and something at its end. */
export function Card({
  title,
  head,
  children,
}: {
  title: string;
  head?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0 rounded-md border border-line bg-raised" aria-label={title}>
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-subtle px-4 py-2.5">
        <h2 className="font-semibold">{title}</h2>
        {head}
      </header>
      <div className="p-4">{children}</div>
    </section>
  );
}
