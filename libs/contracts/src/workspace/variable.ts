import { z } from "zod";
import { rowId } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/**
 * Named values for prompts, `{key}`. Built-ins (wire-contract 13.2) come first, without id and
 * value.
 */
export const variableWire = z.object({
  id: z.number().int().optional(),
  key: z.string(),
  value: z.string().optional(),
  description: z.string().nullable(),
  type: z.enum(["system", "user", "workspace", "static"]),
  userId: z.number().int().nullable().optional(),
  multiUserRequired: z.boolean().optional(),
});

export const listVariables = defineOperation({
  name: "workspace.variable.list",
  service: "workspace",
  access: { who: "session" },
  routes: [
    {
      method: "GET",
      path: "/system/prompt-variables",
      summary: "List the prompt variables",
    },
  ],
  input: z.object({}),
  output: z.object({ variables: z.array(variableWire) }),
});

const fail = (status: number, error: string) =>
  ({ status, kind: "json", body: { success: false, error } }) as const;
const variableErrors = (action: "create" | "update") => ({
  BAD_INPUT: fail(400, "$message"),
  REFUSED: fail(400, `Failed to ${action} system prompt variable: $message`),
});

/**
 * Numbers are accepted as text, because clients send them; missing and other values become empty.
 */
const entered = (longest: number) =>
  z
    .union([z.string().max(longest), z.number(), z.null()])
    .optional()
    .transform((value) => (value === null || value === undefined ? "" : String(value)));

const variableFields = {
  key: entered(1_000),
  value: entered(20_000),
  description: z.string().max(2_000).nullish(),
};

export const createVariable = defineOperation({
  name: "workspace.variable.create",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "keyed",
  errors: variableErrors("create"),
  routes: [
    { method: "POST", path: "/system/prompt-variables", summary: "Create a prompt variable" },
  ],
  input: z.object(variableFields),
  output: z.object({ success: z.boolean(), variable: variableWire }),
});

export const updateVariable = defineOperation({
  name: "workspace.variable.update",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "natural",
  errors: {
    ...variableErrors("update"),
    NOT_FOUND: fail(404, "Failed to update system prompt variable: $message"),
  },
  routes: [
    {
      method: "PUT",
      path: "/system/prompt-variables/:id",
      summary: "Update a prompt variable",
    },
  ],
  input: z.object({ ...variableFields, id: rowId }),
  output: z.object({ success: z.boolean(), variable: variableWire }),
});

export const deleteVariable = defineOperation({
  name: "workspace.variable.delete",
  service: "workspace",
  access: { who: "admin" },
  idempotency: "keyed",
  errors: { BAD_INPUT: fail(400, "$message"), NOT_FOUND: fail(404, "$message") },
  routes: [
    {
      method: "DELETE",
      path: "/system/prompt-variables/:id",
      summary: "Delete a prompt variable",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.object({ success: z.boolean() }),
});

export const variableContracts: Contracts = {
  operations: [listVariables, createVariable, updateVariable, deleteVariable],
};
