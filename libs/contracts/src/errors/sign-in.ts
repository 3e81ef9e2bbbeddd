import type { ErrorDefinition } from "./error-definition.ts";

/** Sign-in faults; existing clients recognise some by the number at the start. */
export const signInErrors = {
  // One message for both, so that nobody learns which names exist; the event log records the
  // difference.
  "sign-in.wrong-credentials": { kind: "REFUSED", message: "[001] Invalid login credentials." },
  "sign-in.suspended": { kind: "REFUSED", message: "[004] Account suspended by admin." },
  "sign-in.code-due": { kind: "REFUSED", message: "[006] One-time code required." },
  "sign-in.wrong-code": { kind: "REFUSED", message: "[006] The one-time code is incorrect." },
  "sign-in.password-disabled": {
    kind: "DISABLED",
    message: "Login via credentials has been disabled by the administrator.",
  },
  "sign-in.token-without-accounts": {
    kind: "DISABLED",
    message: "Multi-User mode is not enabled. It must be enabled to sign in with a token.",
  },
  "sign-in.sso-disabled": {
    kind: "DISABLED",
    message:
      "Simple SSO is not enabled. It must be enabled to validate or issue temporary auth tokens.",
  },
  "sign-in.sso-without-accounts": {
    kind: "DISABLED",
    message: "Multi-User mode is not enabled. It must be enabled to use Simple SSO.",
  },
  "sign-in.token-missing": {
    kind: "UNAUTHENTICATED",
    message: "[001] An error occurred while validating the token: No token provided.",
  },
  "sign-in.token-invalid": {
    kind: "UNAUTHENTICATED",
    message: "[001] An error occurred while validating the token: Invalid token.",
  },
  "sign-in.token-expired": {
    kind: "UNAUTHENTICATED",
    message: "[001] An error occurred while validating the token: Token expired.",
  },
  "sign-in.token-of-suspended": {
    kind: "UNAUTHENTICATED",
    message: "[001] An error occurred while validating the token: User account suspended.",
  },
  "sign-in.accounts-already-enabled": {
    kind: "CONFLICT",
    message: "Multi-user mode is already enabled.",
  },
} as const satisfies Record<string, ErrorDefinition>;
