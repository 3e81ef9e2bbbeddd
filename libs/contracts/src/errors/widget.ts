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
