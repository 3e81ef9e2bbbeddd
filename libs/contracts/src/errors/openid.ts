import type { ErrorDefinition } from "./error-definition.ts";

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
