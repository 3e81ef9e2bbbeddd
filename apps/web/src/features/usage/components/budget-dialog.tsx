import {
  budgetPeriods,
  budgetSubjects,
  budgetUnits,
  type BudgetSubject,
  type BudgetWire,
} from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FieldHelp } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import "../../../components/usage-figures.tsx";
import { useRights } from "../../../lib/current-user.ts";
import { formatCost } from "../../../lib/format-usage.ts";
import { formatNumber } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { apiKeysQuery, useDeleteBudget, useSaveBudget, usersQuery } from "../api/usage.ts";

const levelText = (level: number | null | undefined): string =>
  level == null ? "" : String(level);
const readLevel = (text: string): number | null => (text.trim() === "" ? null : Number(text));

/** Adds a budget, or changes the levels of an existing one. `name` is the title. */
export function BudgetDialog({
  budget,
  name,
  keyId,
  onClose,
}: {
  budget: BudgetWire | null;
  name: string | null;
  /** The API key that a new budget is for, if known. */
  keyId?: number;
  onClose: () => void;
}) {
  const { t } = useTranslation("usage");
  const [fields, setFields] = useState({
    subject: budget?.subject ?? (keyId === undefined ? "instance" : "key"),
    subjectId: budget?.subjectId ?? keyId ?? null,
    period: budget?.period ?? "month",
    unit: budget?.unit ?? "dollars",
    warnAt: levelText(budget?.warnAt),
    stopAt: levelText(budget?.stopAt),
  });
  const save = useSaveBudget(budget);
  const remove = useDeleteBudget();
  const set = (change: Partial<typeof fields>): void => {
    setFields({ ...fields, ...change });
    save.reset();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (save.isPending) return;
    const [warnAt, stopAt] = [readLevel(fields.warnAt), readLevel(fields.stopAt)];
    save.mutate({ ...fields, warnAt, stopAt }, { onSuccess: onClose });
  };
  return (
    <Dialog open onClose={onClose} title={name ?? t("budgets.add")}>
      <form className="grid grid-cols-1 gap-4" onSubmit={submit}>
        {budget === null && (
          <>
            {keyId === undefined && (
              <SelectField
                label={t("budgets.subject")}
                value={fields.subject}
                onChange={(subject) => set({ subject: subject as BudgetSubject, subjectId: null })}
              >
                {budgetSubjects.map((subject) => (
                  <option key={subject} value={subject}>
                    {t(`budgets.subjects.${subject}`)}
                  </option>
                ))}
              </SelectField>
            )}
            {keyId === undefined && fields.subject !== "instance" && (
              <SubjectChoice
                subject={fields.subject}
                value={fields.subjectId}
                onChange={(subjectId) => set({ subjectId })}
              />
            )}
            <div className="grid grid-cols-2 gap-3">
              <SelectField
                label={t("budgets.period")}
                value={fields.period}
                onChange={(period) => set({ period: period as typeof fields.period })}
              >
                {budgetPeriods.map((period) => (
                  <option key={period} value={period}>
                    {t(`budgets.periods.${period}`)}
                  </option>
                ))}
              </SelectField>
              <SelectField
                label={t("budgets.unit")}
                value={fields.unit}
                onChange={(unit) => set({ unit: unit as typeof fields.unit })}
              >
                {budgetUnits.map((unit) => (
                  <option key={unit} value={unit}>
                    {t(`budgets.units.${unit}`)}
                  </option>
                ))}
              </SelectField>
            </div>
          </>
        )}
        <div className="grid grid-cols-2 gap-3">
          {(["warnAt", "stopAt"] as const).map((level) => (
            <TextField
              key={level}
              label={t(`budgets.${level}`)}
              type="number"
              min={fields.unit === "dollars" ? 0.01 : 1}
              step="any"
              inputMode="decimal"
              value={fields[level]}
              onChange={(event) => set({ [level]: event.target.value })}
            />
          ))}
        </div>
        <FieldHelp>{t("budgets.levelsHelp")}</FieldHelp>
        {save.error && <Notice kind="bad">{save.error.message}</Notice>}
        <DialogFooter>
          {budget !== null && (
            <Button
              variant="danger-outline"
              className="me-auto max-md:me-0"
              disabled={remove.isPending}
              onClick={() =>
                remove.mutate(budget.id, {
                  onSuccess: () => {
                    toast.success(t("budgets.deleted"));
                    onClose();
                  },
                })
              }
            >
              {t("budgets.delete")}
            </Button>
          )}
          <Button onClick={onClose}>{t("budgets.cancel")}</Button>
          <Button variant="primary" type="submit" disabled={save.isPending}>
            {save.isPending ? t("budgets.saving") : t("budgets.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function SubjectChoice({
  subject,
  value,
  onChange,
}: {
  subject: Exclude<BudgetSubject, "instance">;
  value: number | null;
  onChange: (id: number | null) => void;
}) {
  const { t } = useTranslation("usage");
  const { multiUser } = useRights();
  const workspaces = useQuery({ ...workspacesQuery, enabled: subject === "workspace" });
  const users = useQuery(usersQuery(multiUser && subject === "user"));
  const keys = useQuery(apiKeysQuery(multiUser, subject === "key"));
  const offered = {
    workspace: workspaces.data?.map(({ id, name }) => ({ id, name })),
    user: users.data?.map(({ id, username }) => ({ id, name: username })),
    key: keys.data?.map(({ id, name, secret }) => ({ id, name: name ?? secret })),
  }[subject];
  return (
    <SelectField
      label={t(`budgets.subjects.${subject}`)}
      value={value === null ? "" : String(value)}
      onChange={(id) => onChange(id === "" ? null : Number(id))}
    >
      <option value="">{t("budgets.choose")}</option>
      {offered?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}

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
