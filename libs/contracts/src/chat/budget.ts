import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineEvent, defineOperation, type Contracts } from "../operation.ts";

/* Carrel-specific: limits on model usage (docs/decisions/usage.md). */

export const budgetSubjects = ["instance", "workspace", "user", "key"] as const;
export type BudgetSubject = (typeof budgetSubjects)[number];
/** Days and months begin at midnight UTC. */
export const budgetPeriods = ["day", "month"] as const;
export type BudgetPeriod = (typeof budgetPeriods)[number];
export const budgetUnits = ["dollars", "tokens"] as const;
export type BudgetUnit = (typeof budgetUnits)[number];

/** In the budget's unit; the upper limit keeps millionths of a dollar exact. */
const amount = z.number().positive().max(1_000_000_000);
/** `warnAt` null: no warning; `stopAt` null: nothing is refused. */
const levels = { warnAt: amount.nullable(), stopAt: amount.nullable() };

export const budgetWire = z.object({
  id: z.number().int(),
  subject: z.enum(budgetSubjects),
  /** null: the instance. */
  subjectId: z.number().int().nullable(),
  /** Name of the workspace or user; null for other subjects, or if it was deleted. */
  name: z.string().nullable(),
  period: z.enum(budgetPeriods),
  unit: z.enum(budgetUnits),
  ...levels,
  /** In the current period. */
  used: z.number(),
});
export type BudgetWire = z.infer<typeof budgetWire>;

const refused = {
  BAD_INPUT: { status: 400, kind: "json", body: { error: "$message" } },
  CONFLICT: { status: 409, kind: "json", body: { error: "$message" } },
  NOT_FOUND: { status: 404, kind: "json", body: { error: "$message" } },
} as const;

export const listBudgets = defineOperation({
  name: "chat.budget.list",
  service: "chat",
  access: { who: "admin" },
  calls: ["auth", "workspace"],
  routes: [{ method: "GET", path: "/usage/budgets", summary: "List budgets" }],
  input: z.object({}),
  output: z.object({ budgets: z.array(budgetWire) }),
});

export const createBudget = defineOperation({
  name: "chat.budget.create",
  service: "chat",
  access: { who: "admin" },
  errors: refused,
  idempotency: "keyed",
  routes: [
    {
      method: "POST",
      path: "/usage/budgets",
      summary: "Create a budget of the instance, a workspace, a user or an API key",
    },
  ],
  input: z.object({
    subject: z.enum(budgetSubjects),
    subjectId: rowId.nullish(),
    period: z.enum(budgetPeriods),
    unit: z.enum(budgetUnits),
    ...levels,
  }),
  output: z.object({ id: z.number().int() }),
});

export const updateBudget = defineOperation({
  name: "chat.budget.update",
  service: "chat",
  access: { who: "admin" },
  errors: refused,
  idempotency: "natural",
  routes: [{ method: "PUT", path: "/usage/budgets/:id", summary: "Change the levels of a budget" }],
  input: z.object({ id: rowId, ...levels }),
  output: z.object({ success: z.boolean() }),
});

export const deleteBudget = defineOperation({
  name: "chat.budget.delete",
  service: "chat",
  access: { who: "admin" },
  errors: refused,
  idempotency: "natural",
  routes: [{ method: "DELETE", path: "/usage/budgets/:id", summary: "Delete a budget" }],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

/**
 * Budgets that have reached a level: admins see all, everyone else their own and the instance's.
 * Amounts are for admins only.
 */
export const listBudgetNotices = defineOperation({
  name: "chat.budget.notices",
  service: "chat",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/usage/notices",
      summary: "List budgets that are nearly or fully used",
    },
  ],
  input: z.object({}),
  output: z.object({
    notices: z.array(
      z.object({
        id: z.number().int(),
        subject: z.enum(budgetSubjects),
        period: z.enum(budgetPeriods),
        /** ISO 8601 date. */
        periodStart: z.string(),
        level: z.enum(["warn", "stop"]),
      }),
    ),
  }),
});

/**
 * Internal: reserves what a model call is expected to use, for calls by other services. The
 * reservation lasts until the use is recorded (`ingestModelUsed`), the call is released, or a
 * minute has passed. Throws `budget.*-used`.
 */
export const admitModelCall = defineOperation({
  name: "chat.budget.admit-call",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({
    callId: z.uuid(),
    provider: z.string(),
    model: z.string(),
    inputTokens: z.number().int().min(0),
  }),
  output: z.object({}),
});

/** Internal: for a call that has failed or used nothing. */
export const releaseModelCall = defineOperation({
  name: "chat.budget.release-call",
  service: "chat",
  access: { who: "internal" },
  idempotency: "natural",
  input: z.object({ callId: z.uuid() }),
  output: z.object({}),
});

/** A budget was created, changed or deleted, or reached a level. */
export const budgetsChanged = defineEvent({
  name: "budgets.changed",
  service: "chat",
  consumers: [],
  payload: z.object({}),
});

export const budgetContracts: Contracts = {
  operations: [
    listBudgets,
    createBudget,
    updateBudget,
    deleteBudget,
    listBudgetNotices,
    admitModelCall,
    releaseModelCall,
  ],
  events: [budgetsChanged],
};
