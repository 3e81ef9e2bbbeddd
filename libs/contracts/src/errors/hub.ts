import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of community hubs; several texts are those that existing clients know (wire-contract 13.1). */
export const hubErrors = {
  "hub.off": {
    kind: "DISABLED",
    message:
      "The community hub is off. An admin can choose a hub in Settings > Community hub > Connection.",
  },
  "hub.import-id-missing": { kind: "BAD_INPUT", message: "Import ID is required" },
  "hub.import-id-invalid": { kind: "BAD_INPUT", message: "Invalid import ID" },
  "hub.workspace-missing": { kind: "BAD_INPUT", message: "Workspace slug is required" },
  "hub.nothing-to-apply": {
    kind: "REFUSED",
    message: "Unsupported item type. Nothing to apply.",
  },
  "hub.nothing-to-import": {
    kind: "REFUSED",
    message: "Unsupported item type. Nothing to import.",
  },
  "hub.item-missing": {
    kind: "NOT_FOUND",
    message: "{{hub}} has no such item, or the connection key may not read it.",
  },
  "hub.item-invalid": {
    kind: "PROVIDER_FAILED",
    message: "This item of {{hub}} can't be used: its {{field}} is missing or invalid.",
  },
  "hub.item-changed": {
    kind: "CONFLICT",
    message: "The item has changed since you looked at it. Look at it again before you import it.",
  },
  "hub.command-taken": {
    kind: "CONFLICT",
    message: "You already have a command {{command}} with another prompt.",
  },
  "hub.command-reserved": {
    kind: "REFUSED",
    message: "{{command}} is a command of Carrel itself and can't be replaced.",
  },
  "hub.said": { kind: "PROVIDER_FAILED", message: "{{hub}} refused: {{reason}}" },
  "hub.too-many-items": {
    kind: "PROVIDER_FAILED",
    message: "{{hub}} has more than {{limit}} files.",
  },
  "hub.repository-too-large": {
    kind: "PROVIDER_FAILED",
    message: "The repository's archive from {{hub}} is damaged or has more than {{megabytes}} MB.",
  },
  "hub.downloads-off": {
    kind: "DISABLED",
    message:
      "Community Hub bundle downloads are not enabled. An admin can allow them in Settings > Community hub > Connection.",
  },
  "hub.downloads-verified": {
    kind: "DISABLED",
    message:
      "Community hub bundle downloads are limited to verified public items or private team items only. An admin can change this in Settings > Community hub > Connection.",
  },
  "hub.bundle-missing": {
    kind: "PROVIDER_FAILED",
    message: "{{hub}} names no file to download for this item.",
  },
  "hub.checksum-wrong": {
    kind: "PROVIDER_FAILED",
    message:
      "The downloaded file isn't the one that the hub describes: its checksum differs. Nothing was installed.",
  },
  "hub.bundle-too-large": {
    kind: "TOO_LARGE",
    message: "The skill is larger than {{megabytes}} MB.",
  },
  "hub.bundle-damaged": {
    kind: "PROVIDER_FAILED",
    message: "The downloaded file isn't a zip archive, or it is damaged.",
  },
  "hub.bundle-file-refused": {
    kind: "PROVIDER_FAILED",
    message: "The skill contains {{path}}, which isn't allowed. Nothing was installed.",
  },
  "hub.bundle-too-many-files": {
    kind: "PROVIDER_FAILED",
    message: "The skill has more than {{limit}} files.",
  },
  "hub.bundle-without-plugin": {
    kind: "PROVIDER_FAILED",
    message: "No plugin.json file found in manifest.",
  },
  "hub.address-invalid": {
    kind: "BAD_INPUT",
    message:
      "The hub's address must start with https://, or with http:// for a host that CARREL_LINK_ALLOW names.",
  },
  "hub.repository-invalid": {
    kind: "BAD_INPUT",
    message: "This isn't the address of a repository.",
  },
  "hub.key-unused": { kind: "BAD_INPUT", message: "A folder needs no connection key." },
  "hub.key-missing": { kind: "REFUSED", message: "Connection key is required" },
  "hub.key-unreadable": {
    kind: "REFUSED",
    message: "The stored connection key can't be read. Enter it again.",
  },
  "hub.publish-type": {
    kind: "BAD_INPUT",
    message: "Items of type {{type}} can't be published.",
  },
  "hub.publish-field": { kind: "BAD_INPUT", message: "The field {{field}} is missing or invalid." },
  "hub.publish-secret": {
    kind: "CONFLICT",
    message:
      "Not published, because {{places}} may contain a password or key. Remove it, or publish in Carrel, where you can confirm it.",
  },
  "hub.publish-taken": {
    kind: "CONFLICT",
    message: "Another item has taken {{path}}. Nothing was published; review it again.",
  },
  "hub.publish-by-commit": {
    kind: "REFUSED",
    message:
      "This hub is a Git repository. Download the file in Carrel and commit it to the repository.",
  },
  "hub.folder-read-only": {
    kind: "REFUSED",
    message: "Carrel can't write to {{path}}. Give its user write permission.",
  },
  "hub.folder-full": { kind: "REFUSED", message: "There's no space left in {{path}}." },
} as const satisfies Record<string, ErrorDefinition>;
