import type { WebhookEvent } from "@carrel/contracts";

const keys = {
  "document.ready": "document_ready",
  "document.failed": "document_failed",
  "answer.finished": "answer_finished",
} as const satisfies Record<WebhookEvent, string>;

/** An event as part of a text's key, in which a full stop separates levels. */
export const webhookEventKey = (event: WebhookEvent) => keys[event];

/** The same for a delivery's event; null if only a newer server knows it. */
export const deliveryEventKey = (event: string) =>
  event === "webhook.test" ? "webhook_test" : event in keys ? keys[event as WebhookEvent] : null;
