import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of signing in through an OpenID provider. */
export const openIdErrors = {
  "openid.not-set-up": {
    kind: "DISABLED",
    message: "Sign-in through OpenID is not set up on this instance.",
  },
  "openid.issuer-insecure": {
    kind: "DISABLED",
    message:
      "CARREL_OIDC_ISSUER must be an https address; http is for a provider on this machine only.",
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
    message: "The sign-in with {{provider}} was cancelled or refused.",
  },
  "openid.provider-error": {
    kind: "UNAUTHENTICATED",
    message: "{{provider}} could not sign you in. Try again later.",
  },
  "openid.code-refused": {
    kind: "UNAUTHENTICATED",
    message: "This sign-in has already been used or took too long. Start again.",
  },
  "openid.client-refused": {
    kind: "UNAUTHENTICATED",
    message: "{{provider}} does not accept this instance. Ask your administrator.",
  },
  "openid.answer-refused": {
    kind: "UNAUTHENTICATED",
    message: "The answer of {{provider}} could not be verified. Start again.",
  },
  "openid.role-refused": {
    kind: "UNAUTHENTICATED",
    message: "Your account at {{provider}} has no access to this instance. Ask your administrator.",
  },
  "openid.account-suspended": {
    kind: "UNAUTHENTICATED",
    message: "Account is suspended by admin",
  },
  "openid.address-of-another": {
    kind: "UNAUTHENTICATED",
    message:
      "The account with your e-mail address belongs to somebody else here. Ask your administrator.",
  },
  "openid.no-account": {
    kind: "UNAUTHENTICATED",
    message:
      "There is no account for you on this instance. Ask your administrator to make one with your e-mail address.",
  },
  "openid.state-mismatch": {
    kind: "UNAUTHENTICATED",
    message:
      "This answer does not belong to the sign-in that this browser began last. Start again.",
  },
  "openid.not-begun": {
    kind: "UNAUTHENTICATED",
    message: "This browser began no sign-in. Start again.",
  },
  "openid.cookie-missing": {
    kind: "UNAUTHENTICATED",
    message: "This browser began no sign-in, or it took longer than ten minutes. Start again.",
  },
  "openid.expired": {
    kind: "UNAUTHENTICATED",
    message: "The sign-in took longer than ten minutes. Start again.",
  },
  "openid.answer-malformed": {
    kind: "BAD_INPUT",
    message: "This answer is malformed. Start the sign-in again.",
  },
} as const satisfies Record<string, ErrorDefinition>;
