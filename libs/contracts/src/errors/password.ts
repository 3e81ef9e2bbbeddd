import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of passwords and one-time codes. */
export const passwordErrors = {
  "password.wrong": { kind: "PASSWORD_WRONG", message: "The password is incorrect." },
  "password.too-short": {
    kind: "REFUSED",
    message: "Password must be at least {{limit}} characters.",
  },
  "password.too-long": {
    kind: "REFUSED",
    message: "Password cannot be longer than {{limit}} characters.",
  },
  "password.unprintable": {
    kind: "REFUSED",
    message: "Password may only contain printable characters.",
  },
  "password.blank": { kind: "REFUSED", message: "Password cannot be blank." },
  "password.common": {
    kind: "REFUSED",
    message: "This password is one of the most common ones. Choose another.",
  },
  "password.too-simple": {
    kind: "REFUSED",
    message: "Password must contain {{requirements}}.",
    appParams: ["lowercase", "uppercase", "digits", "symbols", "needed"],
  },
  "password.mismatch": { kind: "BAD_INPUT", message: "Passwords do not match" },
  "password.none": {
    kind: "BAD_INPUT",
    message: "This account has no password because it uses single sign-on.",
  },
  "password.confirmation-due": {
    kind: "REFUSED",
    message: "Enter your current password, or sign in again and retry within 10 minutes.",
  },
  "password.sign-in-due": {
    kind: "REFUSED",
    message: "Sign in again and retry within 10 minutes.",
  },
  "password.instance-not-set": {
    kind: "PASSWORD_NOT_SET",
    message: "No instance password is set.",
  },
  "password.instance-wrong": { kind: "PASSWORD_WRONG", message: "Invalid password provided" },
  "password.instance-removed": {
    kind: "REFUSED",
    message: "Multi-user mode is enabled, so there is no instance password.",
  },
  "password.reset-token-invalid": { kind: "BAD_INPUT", message: "Invalid reset token" },
  "password.recovery-codes-invalid": { kind: "BAD_INPUT", message: "Invalid recovery codes." },
  "password.recovery-without-accounts": {
    kind: "DISABLED",
    message: "There are no user accounts on this instance.",
  },
  "password.hashing-busy": {
    kind: "BUSY",
    message: "Too many sign-ins at once. Try again in a moment.",
  },
  "second-factor.already-on": {
    kind: "BAD_INPUT",
    message: "Two-factor authentication is already on. Turn it off first.",
  },
  "second-factor.not-begun": {
    kind: "BAD_INPUT",
    message: "Start setting up two-factor authentication first.",
  },
  "second-factor.code-due": {
    kind: "REFUSED",
    message:
      "Enter the code from your authenticator app, or sign in again and retry within 10 minutes.",
  },
  "second-factor.code-wrong": { kind: "BAD_INPUT", message: "The code is incorrect." },
} as const satisfies Record<string, ErrorDefinition>;
