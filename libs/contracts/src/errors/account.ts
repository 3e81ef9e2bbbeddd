import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of mail and calendar accounts that agents use. */
export const accountErrors = {
  "account.not-connected": {
    kind: "DISABLED",
    message: "No {{name}} account is connected. An admin can connect one on the agents page.",
  },
  "account.sign-in-again": {
    kind: "LINK_REFUSED",
    message: "{{name}} no longer accepts the saved sign-in. Connect the account again.",
  },
  "account.sign-in-failed": {
    kind: "LINK_REFUSED",
    message: "{{name}} refused the sign-in: {{details}}",
  },
  "account.sign-in-expired": {
    kind: "REFUSED",
    message:
      "This sign-in to {{name}} has expired or was started in another browser. Start it again.",
  },
  "account.setup-missing": {
    kind: "REFUSED",
    message: "Fill in all fields of {{name}} and save them before you sign in.",
  },
  "account.app-refused": {
    kind: "LINK_REFUSED",
    message: "{{name}} doesn't accept the client ID or its secret. Check the app registration.",
  },
  "account.key-refused": {
    kind: "LINK_REFUSED",
    message: "The Apps Script doesn't accept the API key. Enter the key that is set in the script.",
  },
  "account.script-missing": {
    kind: "LINK_UNREACHABLE",
    message:
      "Google has no deployment with this ID, or it isn't open to Anyone. Check its settings.",
  },
  "account.script-outdated": {
    kind: "LINK_UNREACHABLE",
    message: "The deployed Apps Script is another version. Deploy the current one.",
  },
  "account.permission-missing": {
    kind: "LINK_REFUSED",
    message: "{{name}} doesn't allow this. The account or the app lacks a permission.",
  },
  "account.item-missing": { kind: "NOT_FOUND", message: "{{name}} has no such item." },
  "account.request-refused": {
    kind: "REFUSED",
    message: "{{name}} refused the request: {{details}}",
  },
  "account.busy": {
    kind: "BUSY",
    message: "{{name}} is receiving too many requests. Try again later.",
  },
  "account.failing": {
    kind: "LINK_UNREACHABLE",
    message: "{{name}} can't answer at the moment. Try again later.",
    isRetryable: true,
  },
  "account.outcome-unknown": {
    kind: "LINK_UNREACHABLE",
    message:
      "The connection to {{name}} was lost. It may have been done: check before trying again.",
  },
  "account.unexpected-response": {
    kind: "LINK_UNREACHABLE",
    message: "{{name}} sent an unexpected response.",
  },
} as const satisfies Record<string, ErrorDefinition>;
