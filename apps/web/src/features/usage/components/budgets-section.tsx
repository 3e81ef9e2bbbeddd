import type { BudgetWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { FailedQuery } from "../../../components/ui/failed-query.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { budgetsQuery } from "../api/budgets.ts";
import { apiKeysQuery } from "../api/usage.ts";
import { BudgetDialog } from "./budget-dialog.tsx";
import { BudgetProgress } from "./budget-progress.tsx";
import { Card } from "./card.tsx";

/** Limits of what may be used; for admins. */
export function BudgetsSection() {
  const { t } = useTranslation("usage");
  const { multiUser } = useRights();
  const budgets = useQuery(budgetsQuery);
  const keys = useQuery(
    apiKeysQuery(multiUser, budgets.data?.some(({ subject }) => subject === "key") ?? false),
  );
  const [edited, setEdited] = useState<BudgetWire | "new" | null>(null);
  const nameOf = ({ subject, subjectId, name }: BudgetWire): string => {
    if (subject === "instance") return t("budgets.subjects.instance");
    const known = subject === "key" ? keys.data?.find(({ id }) => id === subjectId)?.name : name;
    return known ?? t(`gone.${subject}`, { id: subjectId });
  };
  return (
    <Card
      title={t("budgets.title")}
      head={
        <Button size="sm" onClick={() => setEdited("new")}>
          <Plus className="size-3.5 stroke-2" aria-hidden="true" />
          {t("budgets.add")}
        </Button>
      }
    >
      <p className="max-w-[80ch] text-xs text-fg-3">{t("budgets.text")}</p>
      {budgets.error && (
        <FailedQuery
          title={t("budgets.loadFailed")}
          retryLabel={t("retry")}
          error={budgets.error}
          retry={() => void budgets.refetch()}
        />
      )}
      {budgets.data?.length === 0 && <p className="mt-3 text-fg-2">{t("budgets.none")}</p>}
      <ul className="mt-1">
        {budgets.data?.map((budget) => (
          <li
            key={budget.id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-subtle py-2.5 first:border-t-0"
          >
            <div className="min-w-0 flex-1">
              <p className="truncate font-medium">{nameOf(budget)}</p>
              <BudgetProgress budget={budget} />
            </div>
            <Level budget={budget} />
            <Button
              size="sm"
              aria-label={`${t("budgets.edit")}: ${nameOf(budget)}`}
              onClick={() => setEdited(budget)}
            >
              {t("budgets.edit")}
            </Button>
          </li>
        ))}
      </ul>
      {edited !== null && (
        <BudgetDialog
          budget={edited === "new" ? null : edited}
          name={edited === "new" ? null : nameOf(edited)}
          onClose={() => setEdited(null)}
        />
      )}
    </Card>
  );
}

function Level({ budget: { used, warnAt, stopAt } }: { budget: BudgetWire }) {
  const { t } = useTranslation("usage");
  if (stopAt !== null && used >= stopAt) return <Badge tone="danger">{t("budgets.stopped")}</Badge>;
  return warnAt !== null && used >= warnAt ? (
    <Badge tone="warning">{t("budgets.warned")}</Badge>
  ) : null;
}
