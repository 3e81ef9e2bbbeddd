import type { ApiKeyWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { createFileRoute } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiKeysPage } from "../features/admin/components/api-keys-page.tsx";
import { requireAdmin } from "../features/auth/api/auth-state.ts";
import { budgetsQuery, usageQuery } from "../features/usage/api/usage.ts";
import { BudgetDialog, BudgetProgress } from "../features/usage/components/budget-dialog.tsx";
import { filterOf } from "../features/usage/state/usage-search.ts";
import { knownCost } from "../lib/format-usage.ts";
import { SettingsFrame } from "./-settings-frame.tsx";

export const Route = createFileRoute("/settings/api-keys")({
  beforeLoad: requireAdmin,
  component: function ApiKeys() {
    const { t } = useTranslation("admin");
    const { data: report } = useQuery(usageQuery(filterOf({}), "key"));
    const { data: budgets } = useQuery(budgetsQuery);
    const [budgeted, setBudgeted] = useState<ApiKeyWire | null>(null);
    const usage = useMemo(
      () =>
        new Map(
          report?.groups.map((group) => [
            Number(group.key),
            { tokens: group.inputTokens + group.outputTokens, cost: knownCost(group) },
          ]),
        ),
      [report],
    );
    const budgetsOf = useCallback(
      ({ id }: ApiKeyWire) =>
        budgets
          ?.filter(({ subject, subjectId }) => subject === "key" && subjectId === id)
          .map((budget) => <BudgetProgress key={budget.id} budget={budget} />),
      [budgets],
    );
    return (
      <SettingsFrame page="keys">
        <ApiKeysPage usage={usage} budgetsOf={budgetsOf} onSetBudget={setBudgeted} />
        {budgeted && (
          <BudgetDialog
            budget={null}
            name={t("keys.budgetTitle", { name: budgeted.name || t("keys.unnamed") })}
            keyId={budgeted.id}
            onClose={() => setBudgeted(null)}
          />
        )}
      </SettingsFrame>
    );
  },
});
