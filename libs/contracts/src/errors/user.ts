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
  "access.access-token-invalid": {
    kind: "KEY_REFUSED",
    message: "The access token isn't valid for this server.",
  },
  "access.access-token-scope-missing": {
    kind: "KEY_FORBIDDEN",
    message: "This access token doesn't have the scope “{{scope}}”, which this request requires.",
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

/** Faults of invites. */
export const inviteErrors = {
  "invite.not-found": { kind: "NOT_FOUND", message: "Invite not found." },
  "invite.unusable": { kind: "REFUSED", message: "Invite not found or is invalid." },
  "invite.no-longer-valid": { kind: "REFUSED", message: "Invite is no longer valid." },
  "invite.expiry-past": {
    kind: "BAD_INPUT",
    message: "The expiration date must be in the future.",
  },
  "invite.already-accepted": { kind: "REFUSED", message: "Invite was already accepted." },
} as const satisfies Record<string, ErrorDefinition>;

/** Faults of user accounts and their fields. */
/** Why something that runs with its owner's rights can't. */
export const ownerErrors = {
  "owner.missing": { kind: "REFUSED", message: "Its owner no longer has an account here." },
  "owner.suspended": { kind: "REFUSED", message: "Its owner's account is suspended." },
  "owner.workspace-missing": {
    kind: "REFUSED",
    message: "Its workspace doesn't exist anymore, or its owner can no longer use it.",
  },
} as const satisfies Record<string, ErrorDefinition>;

export const userErrors = {
  "user.not-found": { kind: "REFUSED", message: "User not found" },
  "user.unknown": { kind: "NOT_FOUND", message: "User not found" },
  "user.suspended": { kind: "DISABLED", message: "User is suspended from system" },
  "user.own-missing": { kind: "BAD_INPUT", message: "Invalid user ID" },
  "user.nothing-to-update": { kind: "BAD_INPUT", message: "No updates provided" },
  "user.no-valid-updates": { kind: "REFUSED", message: "No valid updates applied." },
  "user.untouchable": { kind: "REFUSED", message: "Cannot perform that action on user." },
  "user.role-not-assignable": { kind: "REFUSED", message: "Invalid role selection for user." },
  "user.role-unknown": {
    kind: "REFUSED",
    message: "Invalid role. Allowed roles are: default, admin, manager",
  },
  "user.last-admin": {
    kind: "REFUSED",
    message: "No system admins will remain if you do this. Update failed.",
  },
  "user.delete-self": { kind: "REFUSED", message: "You cannot delete your own account." },
  "user.suspend-self": { kind: "REFUSED", message: "You cannot suspend your own account." },
  "user.second-factor-own": {
    kind: "REFUSED",
    message: "Turn off your own two-factor authentication in your account settings.",
  },
  "user.name-taken": { kind: "REFUSED", message: "A user with that username already exists" },
  "user.email-taken": { kind: "REFUSED", message: "A user with that email address already exists" },
  "user.name-too-short": {
    kind: "REFUSED",
    message: "Username must be at least {{limit}} characters",
  },
  "user.name-too-long": {
    kind: "REFUSED",
    message: "Username cannot be longer than {{limit}} characters",
  },
  "user.name-characters": {
    kind: "REFUSED",
    message:
      "Username must only contain lowercase letters, numbers, underscores, and hyphens with no spaces",
  },
  "user.name-characters-openid": {
    kind: "REFUSED",
    message:
      "Username must only contain lowercase letters, numbers, periods, at signs, underscores, and hyphens with no spaces",
  },
  "user.bio-too-long": { kind: "REFUSED", message: "Bio cannot be longer than 1,000 characters" },
  "user.message-limit-invalid": {
    kind: "REFUSED",
    message: "Daily message limit must be null or a number greater than or equal to 1",
  },
  "user.email-admin-only": { kind: "REFUSED", message: "Only admins can change email addresses." },
  "user.email-invalid": { kind: "REFUSED", message: "Email address is not valid." },
  "user.language-unknown": { kind: "BAD_INPUT", message: "This language is not available." },
} as const satisfies Record<string, ErrorDefinition>;
