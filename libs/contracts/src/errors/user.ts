import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of user accounts and their fields. */
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
