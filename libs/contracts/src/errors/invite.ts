import type { ErrorDefinition } from "./error-definition.ts";

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
