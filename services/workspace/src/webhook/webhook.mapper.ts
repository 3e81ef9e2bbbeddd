import type { DeliveryWire, WebhookWire } from "@carrel/contracts";
import type { WebhookDelivery } from "./webhook-delivery.entity.ts";
import type { Webhook } from "./webhook.entity.ts";

export type NewestDelivery = Pick<WebhookDelivery, "webhookId" | "state" | "createdAt">;

export const mapWebhook = (
  webhook: Webhook,
  url: string,
  newest: NewestDelivery | undefined,
): WebhookWire => ({
  id: webhook.id,
  url,
  description: webhook.description,
  events: webhook.events,
  workspaceIds: webhook.workspaceIds,
  enabled: webhook.enabled,
  createdAt: webhook.createdAt.toISOString(),
  lastDelivery:
    newest === undefined ? null : { state: newest.state, at: newest.createdAt.toISOString() },
});

export const mapDelivery = (delivery: WebhookDelivery): DeliveryWire => ({
  id: delivery.id,
  event: delivery.event,
  state: delivery.state,
  attempts: delivery.totalAttempts,
  status: delivery.status,
  fault: delivery.fault,
  reply: delivery.reply,
  milliseconds: delivery.milliseconds,
  payload: delivery.payload,
  createdAt: delivery.createdAt.toISOString(),
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  finishedAt: delivery.finishedAt?.toISOString() ?? null,
});
