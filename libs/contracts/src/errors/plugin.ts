import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of plugins (docs/decisions/plugins.md); `plugin` is a plugin's name. */
export const pluginErrors = {
  "plugin.not-found": { kind: "NOT_FOUND", message: "This plugin doesn't exist." },
  "plugin.file-not-found": { kind: "NOT_FOUND", message: "This plugin has no such file." },
  "plugin.zip-invalid": {
    kind: "REFUSED",
    message: "This file isn't a zip archive, or is damaged.",
  },
  "plugin.file-name-invalid": {
    kind: "REFUSED",
    message: "{{file}} isn't a name that a plugin's file can have.",
  },
  "plugin.file-name-taken": {
    kind: "REFUSED",
    message: "{{file}} occurs twice. Names have to differ in more than upper and lower case.",
  },
  "plugin.file-not-plain": {
    kind: "REFUSED",
    message: "{{file}} is a link or a special file. Plugins can only have plain files.",
  },
  "plugin.too-large": {
    kind: "TOO_LARGE",
    message: "A plugin can be at most {{megabytes}} MB.",
  },
  "plugin.too-many-files": {
    kind: "TOO_LARGE",
    message: "A plugin can have at most {{limit}} files.",
  },
  "plugin.folder-known": {
    kind: "CONFLICT",
    message:
      "This content was replaced or deleted before, so the folder isn't used. To use it again, upload it as a zip archive.",
  },
  "plugin.manifest-missing": {
    kind: "REFUSED",
    message: "There is no plugin.json, so this isn't a plugin.",
  },
  "plugin.manifest-invalid": { kind: "REFUSED", message: "plugin.json is invalid: {{field}}" },
  "plugin.entry-missing": {
    kind: "REFUSED",
    message: "{{file}} is missing, which plugin.json names as the handler.",
  },
  "plugin.name-taken": {
    kind: "CONFLICT",
    message: "{{name}} is the name of a skill of Carrel. Give the plugin another hubId.",
  },
  "plugin.too-many": {
    kind: "CONFLICT",
    message: "There can be at most {{limit}} plugins. Delete one first.",
  },
  "plugin.changed": {
    kind: "CONFLICT",
    message: "This plugin was changed in the meantime. Review it again.",
  },
  "plugin.not-confirmed": {
    kind: "REFUSED",
    message:
      "An admin has to confirm this plugin's permissions before it can be used: in Carrel, Settings > Agents > Plugins.",
  },
  "plugin.permission-unknown": {
    kind: "REFUSED",
    message: "{{name}} isn't an argument of this plugin.",
  },
  "plugin.argument-missing": {
    kind: "REFUSED",
    message: "{{plugin}} needs {{name}}. Enter it in Settings > Agents > Plugins.",
  },
  "plugin.argument-too-long": {
    kind: "REFUSED",
    message: "{{name}} can have at most {{limit}} characters.",
  },
  "plugin.proof-due": {
    kind: "REFUSED",
    message: "This changes what the plugin sends. Sign in again, then save it within 10 minutes.",
  },
  "plugin.secret-unreadable": {
    kind: "REFUSED",
    message: "{{name}} of {{plugin}} can't be read anymore. Enter it again.",
  },
  "plugin.failed": { kind: "REFUSED", message: "{{plugin}} failed: {{reason}}" },
  "plugin.timed-out": {
    kind: "TIMEOUT",
    message: "{{plugin}} was stopped after {{seconds}} seconds.",
    isRetryable: false,
  },
  "plugin.out-of-memory": {
    kind: "REFUSED",
    message: "{{plugin}} needed more than {{megabytes}} MB of memory.",
  },
  "plugin.crashed": { kind: "REFUSED", message: "{{plugin}} ended without a result." },
  "plugin.busy": { kind: "BUSY", message: "Too many plugins are running. Try again later." },
  "plugin.host-denied": {
    kind: "REFUSED",
    message: "This plugin may not connect to {{host}}.",
  },
} as const satisfies Record<string, ErrorDefinition>;
