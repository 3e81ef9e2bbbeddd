import type { BudgetWire } from "@carrel/contracts";
import { useTranslation } from "react-i18next";
import "../../../components/usage-figures.tsx";
import { formatCost } from "../../../lib/format-usage.ts";
import { formatNumber } from "../../../lib/format.ts";

/** "$4.20 of $20.00 used this month". */
export function BudgetProgress({ budget }: { budget: BudgetWire }) {
  const { t } = useTranslation("usage");
  const format = (amount: number): string =>
    budget.unit === "dollars"
      ? formatCost(amount)
      : t("budgets.tokens", { amount: formatNumber(amount) });
  return (
    <p className="text-xs text-fg-3 tabular-nums">
      {t(`budgets.used_${budget.period}`, {
        used: budget.unit === "dollars" ? formatCost(budget.used) : formatNumber(budget.used),
        limit: format(budget.stopAt ?? budget.warnAt ?? 0),
      })}
    </p>
  );
}
