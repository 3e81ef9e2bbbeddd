import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of share links. */
export const shareErrors = {
  /**
   * Missing, revoked, expired and disabled links, and links for someone else, all look the same.
   */
  "share.not-found": { kind: "NOT_FOUND", message: "This link doesn't exist or no longer works." },
  "share.empty": {
    kind: "BAD_INPUT",
    message: "There's nothing to share yet. Ask a question first.",
  },
  "share.disabled": {
    kind: "DISABLED",
    message: "An admin has disabled sharing.",
  },
  "share.team-only": {
    kind: "DISABLED",
    message: "An admin has limited links to signed-in users.",
  },
} as const satisfies Record<string, ErrorDefinition>;
