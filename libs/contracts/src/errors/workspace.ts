import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of workspaces, members, prompts and settings. */
export const workspaceErrors = {
  "workspace.not-found": { kind: "WORKSPACE_NOT_FOUND", message: "Workspace does not exist." },
  "workspace.name-missing": { kind: "REFUSED", message: "name cannot be null" },
  "workspace.nothing-to-update": { kind: "BAD_INPUT", message: "No valid fields to update!" },
  "workspace.members-invalid": { kind: "NOT_FOUND", message: "No valid user IDs provided." },
  "workspace.to-update-not-found": { kind: "REFUSED", message: "Workspace not found." },
  "workspace.slug-exhausted": {
    kind: "CONFLICT",
    message: "No free slug was found for this name. Try again.",
    isRetryable: true,
  },
  "workspace.deletion-blocked": {
    kind: "DISABLED",
    message: "Workspace deletion is blocked by the system administrator.",
  },
  "event-log.export-filtered": {
    kind: "BAD_INPUT",
    message: "A verifiable export contains the whole log. Remove the filters or export CSV.",
  },
  "event-log.pruned-meanwhile": {
    kind: "CONFLICT",
    message: "Entries were removed during the export. Try again.",
    isRetryable: true,
  },
  "preset.not-found": { kind: "NOT_FOUND", message: "Preset not found" },
  "preset.not-deleted": { kind: "NOT_FOUND", message: "Failed to delete preset" },
  "preset.command-reserved": {
    kind: "BAD_INPUT",
    message: "Cannot create a preset with a command that matches a system command",
  },
  "preset.command-taken": {
    kind: "CONFLICT",
    message: "You already have a slash command with this name.",
  },
  "preset.all-too-long": {
    kind: "BAD_INPUT",
    message: "Your slash commands are too long in total. Delete or shorten one first.",
  },
  "variable.not-found": { kind: "NOT_FOUND", message: "System prompt variable not found" },
  "variable.not-deleted": {
    kind: "NOT_FOUND",
    message: "System prompt variable not found or could not be deleted",
  },
  "variable.incomplete": { kind: "BAD_INPUT", message: "Key and value are required" },
  "variable.key-built-in": { kind: "REFUSED", message: "A built-in variable has this key" },
  "variable.key-characters": {
    kind: "REFUSED",
    message: "Key must contain only letters, numbers and underscores",
  },
  "variable.key-too-short": {
    kind: "REFUSED",
    message: "Key must be at least {{limit}} characters",
  },
  "variable.key-too-long": {
    kind: "REFUSED",
    message: "Key must be at most {{limit}} characters",
  },
  "variable.key-taken": {
    kind: "REFUSED",
    message: "System prompt variable with this key already exists",
    appParams: ["key"],
  },
  "variable.all-too-long": {
    kind: "BAD_INPUT",
    message: "The prompt variables are too long in total. Delete or shorten one first.",
  },
} as const satisfies Record<string, ErrorDefinition>;
