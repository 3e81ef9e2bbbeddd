import { deliverWebhook } from "@carrel/contracts";
import { jobMessage, Outbox, type OutboxMessage } from "@carrel/messaging";
import { Injectable } from "@nestjs/common";
import type { EntityManager } from "typeorm";
import {
  WebhookDeliveryRepository,
  type NewDelivery,
  type StoredDelivery,
} from "./webhook-delivery.repository.ts";

export const deliveryJob = (
  { id, webhookId, version }: StoredDelivery,
  delayMs?: number,
): OutboxMessage =>
  jobMessage(deliverWebhook, {
    rowId: id,
    version,
    payload: { deliveryId: id, webhookId },
    ...(delayMs !== undefined && { delayMs }),
  });

/** Queues deliveries in the transaction that causes them. */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly deliveries: WebhookDeliveryRepository,
    private readonly outbox: Outbox,
  ) {}

  async add(manager: EntityManager, deliveries: NewDelivery[]): Promise<StoredDelivery[]> {
    const stored = await this.deliveries.create(manager, deliveries);
    await this.queue(manager, stored);
    return stored;
  }

  queue(manager: EntityManager, deliveries: StoredDelivery[], delayMs?: number): Promise<void> {
    return this.outbox.add(manager, ...deliveries.map((each) => deliveryJob(each, delayMs)));
  }
}
