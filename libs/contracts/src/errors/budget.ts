import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of budgets, including questions refused because of one. */
export const budgetErrors = {
  "budget.day-used": {
    kind: "REFUSED",
    message: "Today's budget is used up. Try again tomorrow, or ask an admin to raise it.",
  },
  "budget.month-used": {
    kind: "REFUSED",
    message: "This month's budget is used up. Ask an admin to raise it.",
  },
  "budget.subject-missing": {
    kind: "BAD_INPUT",
    message: "Name the workspace, user or API key that the budget is for.",
  },
  "budget.level-missing": {
    kind: "BAD_INPUT",
    message: "Set a warning level, a limit or both.",
  },
  "budget.level-order": {
    kind: "BAD_INPUT",
    message: "The warning level must be below the limit.",
  },
  "budget.exists": { kind: "CONFLICT", message: "A budget like this already exists." },
  "budget.not-found": { kind: "NOT_FOUND", message: "This budget doesn't exist." },
} as const satisfies Record<string, ErrorDefinition>;
