import {
  createBudget,
  deleteBudget,
  getOwnUsage,
  getUsage,
  listBudgetNotices,
  listBudgets,
  listUsage,
  updateBudget,
  type BudgetWire,
  type UsageReport,
} from "@carrel/contracts";
import type { TestInstance } from "./instance.ts";
import { json, row, type Row } from "./wire-row.ts";

const sums = {
  answers: 2,
  failed: 0,
  inputTokens: 100,
  cachedTokens: 0,
  outputTokens: 20,
  reasoningTokens: 0,
  characters: 0,
  audioSeconds: 0,
  searches: 0,
  cost: 0.25,
  unpriced: 0,
};
const report: UsageReport = {
  totals: { ...sums, medianFirstTokenMs: 300 },
  groups: [{ ...sums, key: "2026-11-21", name: null }],
};
const budget: BudgetWire = {
  id: 4,
  subject: "instance",
  subjectId: null,
  name: null,
  period: "month",
  unit: "dollars",
  warnAt: 8,
  stopAt: 10,
  used: 0.25,
};
const notice = {
  id: 4,
  subject: "instance",
  period: "month",
  periodStart: "2026-11-01",
  level: "warn",
} as const;
const period = "from=2026-11-01&to=2026-11-30";

export function answerUsageRows({ chat }: TestInstance): void {
  chat
    .answer(getUsage, report)
    .answer(getOwnUsage, report)
    .answer(listUsage, { rows: [], next: null })
    .answer(listBudgets, { budgets: [budget] })
    .answer(createBudget, { id: 4 })
    .answer(updateBudget, { success: true })
    .answer(deleteBudget, { success: true })
    .answer(listBudgetNotices, { notices: [notice] });
}

/** Carrel-specific (docs/decisions/usage.md). */
export const usageRows: Row[] = [
  row("chat.usage.get", ["GET", `/usage?${period}&groupBy=day`], 200, json, { body: report }),
  row("chat.usage.own", ["GET", `/usage/own?${period}`], 200, json, { body: report }),
  row("gateway.usage.export", ["GET", `/usage/export?${period}`], 200, "text/csv; charset=utf-8"),
  row("chat.budget.list", ["GET", "/usage/budgets"], 200, json, { body: { budgets: [budget] } }),
  row(
    "chat.budget.create",
    [
      "POST",
      "/usage/budgets",
      { subject: "instance", period: "month", unit: "dollars", warnAt: 8, stopAt: 10 },
    ],
    200,
    json,
    { body: { id: 4 } },
  ),
  row("chat.budget.update", ["PUT", "/usage/budgets/4", { warnAt: null, stopAt: 20 }], 200, json, {
    body: { success: true },
  }),
  row("chat.budget.delete", ["DELETE", "/usage/budgets/4"], 200, json, {
    body: { success: true },
  }),
  row("chat.budget.notices", ["GET", "/usage/notices"], 200, json, {
    body: { notices: [notice] },
  }),
];
