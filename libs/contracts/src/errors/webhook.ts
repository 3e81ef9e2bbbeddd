import type { ErrorDefinition } from "./error-definition.ts";

/** Faults of webhooks and their deliveries. */
export const webhookErrors = {
  "webhook.not-found": { kind: "NOT_FOUND", message: "This webhook doesn't exist." },
  "webhook.delivery-not-found": { kind: "NOT_FOUND", message: "This delivery doesn't exist." },
  "webhook.too-many": {
    kind: "CONFLICT",
    message: "There can be at most {{limit}} webhooks. Delete one first.",
  },
  "webhook.disabled": {
    kind: "CONFLICT",
    message: "This webhook is disabled. Enable it first.",
  },
  "webhook.restored": {
    kind: "CONFLICT",
    message:
      "Not sent, because the instance was restored from a backup. The receiver may have it already; replay it if not.",
  },
  "webhook.refused": {
    kind: "PROVIDER_FAILED",
    message: "The receiver answered with status {{status}}.",
  },
} as const satisfies Record<string, ErrorDefinition>;
