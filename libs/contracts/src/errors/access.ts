import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of credentials and permissions. */
export const accessErrors = {
  "access.forbidden": { kind: "FORBIDDEN", message: "Unauthorized" },
  "access.workspaces-by-managers": {
    kind: "FORBIDDEN",
    message:
      "Only managers and admins can create and manage workspaces here. Ask an admin to allow it.",
  },
  "access.documents-by-managers": {
    kind: "FORBIDDEN",
    message: "Only managers and admins can add documents here. Ask an admin to allow it.",
  },
  "access.documents-of-others": {
    kind: "FORBIDDEN",
    message: "You can only remove documents that you added. Ask a manager or an admin.",
  },
  "access.models-by-managers": {
    kind: "FORBIDDEN",
    message: "Only managers and admins can choose models here. Ask an admin to allow it.",
  },
  "access.proof-due": {
    kind: "REFUSED",
    message: "To confirm it's you, sign in again and retry within 10 minutes.",
  },
  "access.key-invalid": { kind: "KEY_REFUSED", message: "The key isn't valid." },
  "access.extension-key-invalid": { kind: "KEY_REFUSED", message: "No valid API key found." },
  "access.key-scope-missing": {
    kind: "KEY_FORBIDDEN",
    message: "This API key doesn't have the scope “{{scope}}”, which this request requires.",
  },
  "access.key-restricted": {
    kind: "KEY_FORBIDDEN",
    message:
      "This API key is restricted to some workspaces, and this request isn't limited to them.",
  },
  "access.key-workspace-missing": {
    kind: "KEY_FORBIDDEN",
    message:
      "This API key is restricted to some workspaces. Name at least one of them in addToWorkspaces.",
  },
  "access.key-expired": { kind: "KEY_FORBIDDEN", message: "This API key has expired." },
  "access.key-expiry-past": {
    kind: "BAD_INPUT",
    message: "The expiration date must be in the future.",
  },
  "access.key-rate-limited": {
    kind: "TOO_MANY_ATTEMPTS",
    message: "This API key has reached its rate limit of {{limit}} per minute.",
  },
  "access.key-not-found": { kind: "NOT_FOUND", message: "This key doesn't exist." },
  "access.token-missing": { kind: "UNAUTHENTICATED", message: "No auth token found." },
  "access.token-invalid": { kind: "UNAUTHENTICATED", message: "Invalid auth token." },
  "access.credentials-invalid": {
    kind: "UNAUTHENTICATED",
    message: "Invalid auth credentials.",
  },
  "access.user-gone": { kind: "UNAUTHENTICATED", message: "Invalid auth for user." },
  "access.user-suspended": { kind: "UNAUTHENTICATED", message: "User is suspended from system" },
  "access.api-key-invalid": { kind: "KEY_REFUSED", message: "No valid api key found." },
  "access.session-expired": {
    kind: "UNAUTHENTICATED",
    message: "Token expired or failed validation.",
  },
  "access.session-invalid": { kind: "REFUSED", message: "Session expired or invalid." },
  "access.account-suspended": { kind: "REFUSED", message: "User is suspended." },
  "access.too-many-attempts": {
    kind: "TOO_MANY_ATTEMPTS",
    message: "Too many attempts. Try again in {{wait}}.",
    appParams: ["seconds"],
  },
  "access.attempts-uncountable": {
    kind: "UNAVAILABLE",
    message: "Sign-in isn't available right now. Try again shortly.",
  },
  "access.env-dump-disabled": {
    kind: "DISABLED",
    message: "The settings can't be dumped. To allow it, set CARREL_ENV_DUMP.",
  },
  "access.chat-history-disabled": {
    kind: "DISABLED",
    message: "This feature has been disabled by the administrator.",
  },
} as const satisfies Record<string, ErrorDefinition>;
