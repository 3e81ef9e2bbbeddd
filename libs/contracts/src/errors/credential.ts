import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of named credentials (docs/decisions/flows.md). */
export const credentialErrors = {
  "credential.not-found": { kind: "NOT_FOUND", message: "This credential doesn't exist." },
  "credential.owner-not-found": {
    kind: "NOT_FOUND",
    message: "The flow that this credential is for doesn't exist.",
  },
  "credential.name-taken": {
    kind: "CONFLICT",
    message: "There is already a credential named {{name}} here.",
  },
  "credential.too-many": {
    kind: "CONFLICT",
    message: "There can be at most {{limit}} credentials. Delete one first.",
  },
  "credential.missing": {
    kind: "REFUSED",
    message: "There is no credential named {{name}}. Add it in Settings > Agents > Credentials.",
  },
  "credential.unreadable": {
    kind: "REFUSED",
    message:
      "The credential {{name}} can't be read with this instance's secret. Enter its value again in Settings > Agents > Credentials.",
  },
  "credential.host-refused": {
    kind: "REFUSED",
    message:
      "The credential {{name}} may not be sent to {{host}}. An admin can add the host in Settings > Agents > Credentials.",
  },
  "credential.misplaced": {
    kind: "REFUSED",
    message: "A credential can be in the path or the query of an address, but not before them.",
  },
  "credential.host-header": {
    kind: "REFUSED",
    message: "A request with a credential can't have a Host header for another host.",
  },
  "credential.redirected": {
    kind: "REFUSED",
    message: "{{host}} redirects to {{target}}, which may not get the credential.",
  },
} as const satisfies Record<string, ErrorDefinition>;
