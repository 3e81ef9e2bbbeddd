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

/** Faults of sign-in through an OpenID provider. */
export const openIdErrors = {
  "openid.not-set-up": {
    kind: "DISABLED",
    message: "Sign-in with OpenID isn't set up on this instance.",
  },
  "openid.issuer-insecure": {
    kind: "DISABLED",
    message:
      "CARREL_OIDC_ISSUER must be an https address. http is allowed only for a provider on this machine.",
  },
  "openid.accounts-disabled": {
    kind: "DISABLED",
    message: "Sign-in with {{provider}} needs user accounts, and this instance has none yet.",
  },
  "openid.provider-unreachable": {
    kind: "UNAVAILABLE",
    message: "{{provider}} isn't responding. Try again later.",
  },
  "openid.access-denied": {
    kind: "UNAUTHENTICATED",
    message: "Sign-in with {{provider}} was canceled or denied.",
  },
  "openid.provider-error": {
    kind: "UNAUTHENTICATED",
    message: "{{provider}} couldn't sign you in. Try again later.",
  },
  "openid.code-refused": {
    kind: "UNAUTHENTICATED",
    message: "This sign-in has already been used or took too long. Start again.",
  },
  "openid.client-refused": {
    kind: "UNAUTHENTICATED",
    message: "{{provider}} rejected this instance's credentials. Ask an admin.",
  },
  "openid.answer-refused": {
    kind: "UNAUTHENTICATED",
    message: "The response from {{provider}} couldn't be verified. Start again.",
  },
  "openid.role-refused": {
    kind: "UNAUTHENTICATED",
    message: "Your account at {{provider}} has no access to this instance. Ask an admin.",
  },
  "openid.account-suspended": {
    kind: "UNAUTHENTICATED",
    message: "Account is suspended by admin",
  },
  "openid.address-of-another": {
    kind: "UNAUTHENTICATED",
    message: "Your email address belongs to another account here. Ask an admin.",
  },
  "openid.no-account": {
    kind: "UNAUTHENTICATED",
    message:
      "You have no account on this instance. Ask an admin to create one with your email address.",
  },
  "openid.not-linked": {
    kind: "UNAUTHENTICATED",
    message:
      "No account on this instance is linked to your account at {{provider}}. Sign in to this instance with {{provider}} once.",
  },
  "openid.state-mismatch": {
    kind: "UNAUTHENTICATED",
    message: "This response belongs to another sign-in. Start again.",
  },
  "openid.not-begun": {
    kind: "UNAUTHENTICATED",
    message: "This browser didn't start a sign-in. Start again.",
  },
  "openid.cookie-missing": {
    kind: "UNAUTHENTICATED",
    message:
      "This browser didn't start a sign-in, or it took longer than ten minutes. Start again.",
  },
  "openid.expired": {
    kind: "UNAUTHENTICATED",
    message: "Sign-in took longer than ten minutes. Start again.",
  },
  "openid.answer-malformed": {
    kind: "BAD_INPUT",
    message: "The provider's response isn't valid. Start again.",
  },
} as const satisfies Record<string, ErrorDefinition>;

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
