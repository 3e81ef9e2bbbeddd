import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of chat widgets; visitors of other sites read those below `visitor`. */
export const widgetErrors = {
  "widget.not-found": { kind: "NOT_FOUND", message: "Not Found" },
  "widget.workspace-missing": {
    kind: "REFUSED",
    message: "Choose the workspace that the widget answers from.",
  },
  "widget.sites-invalid": {
    kind: "REFUSED",
    message: "Not a valid site address: {{entries}}",
  },
  "widget.workspace-unknown": { kind: "WORKSPACE_NOT_FOUND", message: "Workspace not found." },
  "visitor.widget-disabled": {
    kind: "DISABLED",
    message: "This chat has been disabled by the administrator - try again later.",
  },
  "visitor.origin-refused": {
    kind: "FORBIDDEN",
    message: "This chat isn't available on this site. Its owner can add the site to the widget.",
  },
  /** Unknown, foreign, forged and expired sessions all look the same. */
  "visitor.session-invalid": { kind: "THREAD_NOT_FOUND", message: "Invalid session ID." },
  "visitor.identity-invalid": {
    kind: "REFUSED",
    message: "The identity token is invalid or has expired.",
  },
  "visitor.message-too-long": {
    kind: "TOO_LARGE",
    message: "The message is too long. The limit is {{limit}} characters.",
  },
  "visitor.day-limit": {
    kind: "TOO_MANY_ATTEMPTS",
    message: "The quota for this chat has been reached. Try again later or contact the site owner.",
  },
  "visitor.session-limit": {
    kind: "TOO_MANY_ATTEMPTS",
    message:
      "Your quota for this chat has been reached. Try again later or contact the site owner.",
  },
  "visitor.personal-limit": {
    kind: "TOO_MANY_ATTEMPTS",
    message:
      "Your quota for this chat has been reached. Try again later or contact the site owner.",
  },
  "visitor.address-limit": {
    kind: "TOO_MANY_ATTEMPTS",
    message: "Too many messages came from your network. Try again later or contact the site owner.",
  },
  "visitor.too-fast": {
    kind: "TOO_MANY_ATTEMPTS",
    message: "You're sending messages too fast. Try again in a moment.",
  },
  "visitor.answer-failed": {
    kind: "UNAVAILABLE",
    message: "No answer is available right now. Try again later.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of uploaded pictures. */
export const pictureErrors = {
  "picture.missing": { kind: "BAD_INPUT", message: "File upload failed." },
  "picture.logo-missing": { kind: "BAD_INPUT", message: "No logo file provided." },
  "picture.upload-too-large": {
    kind: "TOO_LARGE",
    message: "The image is too large. The limit is {{megabytes}} MB.",
  },
  "picture.too-large": {
    kind: "TOO_LARGE",
    message: "The image is too large. The limit is {{megabytes}} MB and {{megapixels}} megapixels.",
  },
  "picture.broken": { kind: "BAD_INPUT", message: "The image is damaged and can't be read." },
  "picture.unsupported": {
    kind: "UNSUPPORTED",
    message: "Only JPEG, PNG, WebP, GIF and AVIF images are supported.",
  },
  "picture.unavailable": {
    kind: "UNAVAILABLE",
    message: "The server can't process images.",
  },
  "picture.busy": {
    kind: "BUSY",
    message: "Too many images are being processed. Try again in a moment.",
  },
} as const satisfies Record<string, ErrorDefinition>;

/** Why the wizard's survey couldn't be sent. */
export const surveyErrors = {
  "survey.no-address": {
    kind: "DISABLED",
    message: "This instance has no survey address. Set CARREL_SURVEY_URL to send surveys.",
  },
  "survey.refused": {
    kind: "PROVIDER_FAILED",
    message: "{{host}} didn't accept the survey (status {{status}}).",
  },
  "survey.unreachable": {
    kind: "PROVIDER_FAILED",
    message: "Couldn't reach {{host}}. The survey wasn't sent.",
  },
} as const satisfies Record<string, ErrorDefinition>;

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
