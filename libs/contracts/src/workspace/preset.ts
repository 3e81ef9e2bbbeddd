import { z } from "zod";
import { rowId, textOrEmpty } from "../coercion.ts";
import { defineOperation, type Contracts } from "../operation.ts";

/** A user's slash commands: `/command` anywhere in a message is replaced by its prompt. */
export const presetWire = z.object({
  id: z.number().int(),
  command: z.string(),
  prompt: z.string(),
  description: z.string(),
});

/** Commands reserved for Carrel itself. */
const systemCommands: ReadonlySet<string> = new Set(["/reset", "/img", "/exit"]);
export const isSystemCommand = (command: string): boolean => systemCommands.has(command);

/**
 * A command as it is stored (wire-contract 2.6): lower case, one leading slash, hyphens for other
 * characters. Null if less than two characters were sent.
 */
export function toCommand(sent: string): string | null {
  const command = sent.trim().toLowerCase();
  if (command.length < 2) return null;
  return `/${(command.startsWith("/") ? command.slice(1) : command).replace(/[^a-z0-9_-]/g, "-")}`;
}

export const listPresets = defineOperation({
  name: "workspace.preset.list",
  service: "workspace",
  access: { who: "session" },
  routes: [
    { method: "GET", path: "/system/slash-command-presets", summary: "List your slash commands" },
  ],
  input: z.object({}),
  output: z.object({ presets: z.array(presetWire) }),
});

const presetErrors = {
  BAD_INPUT: { status: 400, kind: "json", body: { message: "$message" } },
} as const;

const presetFields = {
  command: z.string().max(255),
  prompt: z.string().max(20_000),
  description: textOrEmpty(2_000),
};

const fullPreset = presetWire.extend({
  uid: z.number().int(),
  userId: z.number().int().nullable(),
  createdAt: z.string(),
  lastUpdatedAt: z.string(),
});

/** A command that already exists is returned unchanged. */
export const createPreset = defineOperation({
  name: "workspace.preset.create",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  errors: presetErrors,
  routes: [
    { method: "POST", path: "/system/slash-command-presets", summary: "Create a slash command" },
  ],
  input: z.object(presetFields),
  output: z.object({ preset: fullPreset }),
  success: { status: 201, kind: "json" },
});

export const updatePreset = defineOperation({
  name: "workspace.preset.update",
  service: "workspace",
  access: { who: "session" },
  idempotency: "natural",
  errors: {
    ...presetErrors,
    CONFLICT: { status: 422, kind: "json", body: { message: "$message" } },
    NOT_FOUND: { status: 404, kind: "json", body: { message: "Preset not found" } },
  },
  routes: [
    {
      method: "POST",
      path: "/system/slash-command-presets/:id",
      summary: "Update a slash command",
    },
  ],
  input: z.object({ ...presetFields, id: rowId }),
  output: z.object({ preset: fullPreset }),
});

export const deletePreset = defineOperation({
  name: "workspace.preset.delete",
  service: "workspace",
  access: { who: "session" },
  idempotency: "keyed",
  errors: {
    ...presetErrors,
    NOT_FOUND: { status: 403, kind: "json", body: { message: "Failed to delete preset" } },
  },
  routes: [
    {
      method: "DELETE",
      path: "/system/slash-command-presets/:id",
      summary: "Delete a slash command",
    },
  ],
  input: z.object({ id: rowId }),
  output: z.void(),
  success: { status: 204, kind: "empty" },
});

export const presetContracts: Contracts = {
  operations: [listPresets, createPreset, updatePreset, deletePreset],
};
